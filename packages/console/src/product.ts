/** The one place where the product is named. */
export const productName = 'Slipway'

/** Where people talk to those who make the product. */
export const discussionsUrl = 'https://github.com/konflux-ci/discussions/issues'
