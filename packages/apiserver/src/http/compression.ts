/** Smaller answers are not worth the work. Source: k8s.io/apiserver, responsewriters, defaultGzipThresholdBytes. */
const thresholdBytes = 128 * 1024

/**
 * The answer, compressed when it is large and the client takes gzip. Never for watches: what is written there is to be
 * seen at once.
 * @param bytes about how long the body is
 */
export function gzipped(request: Request, response: Response, bytes: number): Response {
  if (bytes <= thresholdBytes || !takesGzip(request.headers.get('accept-encoding')) || !response.body) return response
  const headers = new Headers(response.headers)
  headers.set('content-encoding', 'gzip')
  headers.append('vary', 'Accept-Encoding')
  // The DOM's types want a stream of any buffer source on the way in.
  const gzip = new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>
  return new Response(response.body.pipeThrough(gzip), { status: response.status, headers })
}

/** Has gzip been named, and not with a weight of zero? */
const takesGzip = (accepted: string | null): boolean =>
  (accepted ?? '').split(',').some((item) => {
    const [coding = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })
