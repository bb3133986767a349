/** As much of Trusted Types as is used: not every browser has them, and TypeScript does not know them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL }
}

/**
 * The address of a worker of this build, as the Content-Security-Policy wants it: only what comes from here may be one.
 * @throws TypeError for any other address
 */
export const trustedWorker = (url: string): string | URL => policy()?.createScriptURL(url) ?? url

let made: ReturnType<TrustedTypes['createPolicy']> | undefined

/** Made when it is first needed; a page can make it once. */
function policy() {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return (made ??= trustedTypes?.createPolicy('slipway-worker', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError('A worker comes from elsewhere')
      return url
    },
  }))
}
