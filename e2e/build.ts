import { ensureBuilt } from '../scripts/lib/build.mjs'

/** Journeys test what is shipped: the built console and the built command. */
export default ensureBuilt
