import { ExitError } from './exit-error.mjs'

/**
 * The section of a version in the changelog, without its heading.
 * @param {string} changelog
 * @param {string} version
 */
export function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => /^\S+/.exec(each)?.[0] === version)
  const text = section?.replace(/^.*\n/, '').trim()
  if (text) return `${text}\n`
  throw new ExitError(`CHANGELOG.md has no section "## ${version}" with what has changed. Add one.`)
}

/**
 * The version that a tag releases.
 * @param {string} tag
 * @param {{ version: string, repository?: unknown }} description package.json
 */
export function releasedVersion(tag, { version, repository }) {
  if (tag !== `v${version}`)
    throw new ExitError(`The tag ${tag} does not match the version of package.json, ${version}.`)
  // The registry compares it with the repository in the provenance.
  if (!repository)
    throw new ExitError('package.json has no "repository". Add it: the registry requires it for provenance.')
  return version
}
