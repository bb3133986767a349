import { notAcceptableObject } from '../errors'
import { jsonType } from '../http/negotiation'
import { issuer, type ServiceAccountTokens } from './service-account-tokens'
import { algorithm } from './signing-key'

const keysPath = '/openid/v1/jwks'

/**
 * The documents with which other parties verify service account tokens; `undefined` for any other path.
 * Source: OpenID Connect Discovery 1.0, section 3, to the extent that Kubernetes implements it.
 */
export async function issuerDocument(
  { method, headers }: Request,
  { pathname, host }: URL,
  tokens: ServiceAccountTokens,
): Promise<Response | undefined> {
  if (method !== 'GET') return undefined
  const published = (mediaType: string, body: object): Response => {
    if (!accepts(headers.get('accept'), mediaType)) throw notAcceptableObject(mediaType)
    return new Response(JSON.stringify(body), {
      headers: { 'content-type': mediaType, 'cache-control': 'public, max-age=3600' },
    })
  }
  switch (pathname.replace(/\/$/, '')) {
    case '/.well-known/openid-configuration':
      return published(jsonType, {
        issuer,
        jwks_uri: `https://${host}${keysPath}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [algorithm],
      })
    case keysPath:
      return published('application/jwk-set+json', { keys: await tokens.publishedKeys() })
    default:
      return undefined
  }
}

function accepts(accept: string | null, mediaType: string): boolean {
  const ranges = (accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim())
  return ranges.includes(mediaType) || ranges.includes('*/*') || ranges.includes('application/*')
}
