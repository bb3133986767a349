/** Adds the session and the header by which the gateway distinguishes the console's calls from another site's forms. */
export const withConsoleHeaders = (init: RequestInit = {}): RequestInit => ({
  credentials: 'same-origin',
  ...init,
  // Callers always pass headers as a plain object.
  headers: { 'x-requested-with': 'slipway', ...(init.headers as Record<string, string> | undefined) },
})
