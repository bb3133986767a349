import type Provider from 'oidc-provider'

/**
 * Loads the OpenID provider's library without its warning that Node 20 is unsupported. Users who start the product need
 * not see it: our tests pass on Node 20. Replace this with a plain import once support for Node 20 ends.
 */
export async function loadProvider(): Promise<typeof Provider> {
  const { warn } = console
  console.warn = () => {}
  try {
    return (await import('oidc-provider')).default
  } finally {
    console.warn = warn
  }
}
