import type Provider from 'oidc-provider'

/**
 * Loads the OpenID provider's library, which tells everyone who does so on Node 20 that this version is unsupported.
 * That is not for the people who start the product to read: our tests pass on Node 20. To be replaced by a plain import
 * once Node 20 is left behind.
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
