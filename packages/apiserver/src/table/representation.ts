/** The representation that a client requests. Source: Kubernetes API concepts, "Receiving resources as Tables". */

export type Representation = 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** The representation in an Accept header; `undefined` if none of its media types is available (406). */
export function representationOf(accept: string | null): Representation | undefined {
  if (!accept?.trim()) return 'Object'
  const ranges = accept
    .split(',')
    .map(parseRange)
    .sort((a, b) => b.quality - a.quality)
  for (const { type, params, quality } of ranges) {
    if (quality === 0 || !['application/json', 'application/*', '*/*'].includes(type)) continue
    const as = params.get('as')
    if (as === undefined) return 'Object'
    if (params.get('g') !== 'meta.k8s.io' || params.get('v') !== 'v1') continue
    if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return as
  }
  return undefined
}

function parseRange(range: string): { type: string; params: Map<string, string>; quality: number } {
  const [type = '', ...rest] = range.split(';').map((part) => part.trim())
  const params = new Map(rest.map((part): [string, string] => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']))
  const quality = Number(params.get('q') ?? 1)
  return { type: type.toLowerCase(), params, quality: Number.isNaN(quality) ? 1 : quality }
}

/** The part of its object that each row of a table contains. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** The `includeObject` of a query; `undefined` for an invalid value (400). */
export function includeObjectOf(value: string | null): IncludeObject | undefined {
  if (value === null || value === '') return 'Metadata'
  return value === 'None' || value === 'Metadata' || value === 'Object' ? value : undefined
}
