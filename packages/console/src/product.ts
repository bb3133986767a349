/** The name of the product, defined only here. */
export const productName = 'Slipway'

/** Where users can contact the maintainers. */
export const discussionsUrl = 'https://github.com/konflux-ci/discussions/issues'

/** How releases, release plans and release plan admissions work. */
export const releaseDocsUrl = 'https://konflux-ci.dev/docs/releasing/'
