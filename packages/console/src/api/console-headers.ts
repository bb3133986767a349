/** A call of the console, as the gateway tells it from a form of another site: with the session, and this header. */
export const withConsoleHeaders = (init: RequestInit = {}): RequestInit => ({
  credentials: 'same-origin',
  ...init,
  // What we call with has no other kind of headers.
  headers: { 'x-requested-with': 'slipway', ...(init.headers as Record<string, string> | undefined) },
})
