/** gRPC codes with the HTTP codes of its gateway. Source: grpc-gateway, runtime/errors.go. */
const codes = {
  InvalidArgument: [3, 400],
  NotFound: [5, 404],
  Unimplemented: [12, 501],
  Internal: [13, 500],
  Unavailable: [14, 503],
  Unauthenticated: [16, 401],
} as const

export type RpcCode = keyof typeof codes

/** An error response of the service. */
export class RpcError extends Error {
  readonly code: RpcCode

  constructor(code: RpcCode, message: string) {
    super(message)
    this.code = code
  }

  /** @param isStream errors of streams are in a member of their own */
  toResponse({ isStream = false } = {}): Response {
    const [code, status] = codes[this.code]
    const error = { code, message: this.message }
    return Response.json(isStream ? { error } : error, { status })
  }
}
