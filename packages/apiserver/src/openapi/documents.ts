import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { lazy } from '../lazy'
import type { JsonSchema } from '../apiextensions/json-schema'
import type { OpenApiKind } from './operations'
import { v2Document, type V2Document } from './v2'
import { encodeV2 } from './v2-protobuf'
import { v3Document } from './v3'

export interface OpenApi {
  /** `/openapi/v3`. */
  index(): object
  /** `/openapi/v3/{key}`, key as in the index (`api/v1`, `apis/g/v`); `undefined` for a group version without kinds. */
  v3(key: string): { document: object; hash: string } | undefined
  v2(): V2Document
  v2Protobuf(): Uint8Array<ArrayBuffer>
}

/** Builds documents on demand and caches them. Create a new one if the kinds change. */
export function createOpenApi(kinds: readonly OpenApiKind[], version: string): OpenApi {
  const byKey = new Map<string, OpenApiKind[]>()
  for (const kind of kinds) {
    const key = keyOf(kind.type)
    byKey.set(key, [...(byKey.get(key) ?? []), kind])
  }
  const hashes = new Map([...byKey].map(([key, members]) => [key, hashOf(members, version)]))
  const documents = new Map<string, object>()
  const v2 = lazy(() => v2Document(kinds, version))
  return {
    index: () => ({
      paths: Object.fromEntries(
        [...hashes].map(([key, hash]) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` }]),
      ),
    }),
    v3(key) {
      const hash = hashes.get(key)
      if (hash === undefined) return undefined
      const document = documents.get(key) ?? v3Document(byKey.get(key) ?? [], version)
      documents.set(key, document)
      return { document, hash }
    },
    v2,
    v2Protobuf: lazy(() => encodeV2(v2())),
  }
}

const keyOf = (type: ResourceType): string => `${type.group ? 'apis' : 'api'}/${apiVersionOf(type)}`

/** Cached, because hashing all schemas on every change of a kind would cost more than building the documents. */
const schemaHashes = new WeakMap<JsonSchema, string>()

function hashOf(kinds: readonly OpenApiKind[], version: string): string {
  const parts = kinds.map(({ schema, ...rest }) => {
    const known = schemaHashes.get(schema) ?? hashOfText(JSON.stringify(schema))
    schemaHashes.set(schema, known)
    const { type, verbs, hasStatus, subresources } = rest
    return [type, verbs, hasStatus, known, subresources]
  })
  return hashOfText(JSON.stringify([version, parts]))
}

/** FNV-1a, twice with different starts: distinguishes documents, but is not secure. */
function hashOfText(text: string): string {
  let a = 0x811c9dc5
  let b = 0x01000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ (unit + i), 0x01000193)
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
