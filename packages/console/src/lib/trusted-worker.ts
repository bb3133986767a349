/** The part of Trusted Types that is used: not every browser has them, and TypeScript has no types for them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL }
}

/**
 * The URL of a worker of this build, as the Content-Security-Policy requires it: workers must be of the same origin.
 * @throws TypeError for any other URL
 */
export const trustedWorker = (url: string): string | URL => policy()?.createScriptURL(url) ?? url

let workerPolicy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** Created on first use, since a page can create it only once. */
function policy() {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return (workerPolicy ??= trustedTypes?.createPolicy('slipway-worker', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError('A worker must have the same origin as the console.')
      return url
    },
  }))
}
