/** Minimum size to compress. Source: k8s.io/apiserver, responsewriters, defaultGzipThresholdBytes. */
const thresholdBytes = 128 * 1024

/**
 * Compresses a large response if the client accepts gzip. Not for watches, whose events must be sent at once.
 * @param bytes approximate length of the body
 */
export function gzipped(request: Request, response: Response, bytes: number): Response {
  if (bytes <= thresholdBytes || !takesGzip(request.headers.get('accept-encoding')) || !response.body) return response
  const headers = new Headers(response.headers)
  headers.set('content-encoding', 'gzip')
  headers.append('vary', 'Accept-Encoding')
  // The DOM types require an input stream of any buffer source.
  const gzip = new CompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>
  return new Response(response.body.pipeThrough(gzip), { status: response.status, headers })
}

/** True if gzip is listed with a nonzero weight. */
const takesGzip = (accepted: string | null): boolean =>
  (accepted ?? '').split(',').some((item) => {
    const [coding = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })
