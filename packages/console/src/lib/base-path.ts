/**
 * Path below which the gateway serves this console, such as `/console`; empty at the root of its origin. The gateway
 * writes it into the page. Nothing else knows it by another way: paths of the
 * router, of the API and of `paths.ts` are spelled as if at the root.
 */
export const basePath = typeof document === 'undefined' ? '' : (document.documentElement.dataset.path ?? '')

/** Path of the page as the router spells it, which may be ahead of what is rendered. */
export const pagePath = (): string => globalThis.location.pathname.slice(basePath.length) || '/'
