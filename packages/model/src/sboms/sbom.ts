import { isRecord } from '@slipway/kube/object'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { objectsInLog } from '../logs/json-in-log'

/**
 * The software bill of materials of an image, as the task `show-sbom` prints it: SPDX 2 or CycloneDX, as JSON. All of it
 * is untrusted: the image chooses the texts.
 */

export interface SbomPackage {
  /** The type of its package URL, such as `rpm` or `npm`; empty if it has none. */
  kind: string
  name: string
  /** Each version that the image has; empty if none is known. */
  versions: readonly string[]
}

export interface SbomLog {
  packages: SbomPackage[]
  /** Why there may be others; `undefined` if all are known. */
  gap: string | undefined
}

/** An image has some thousands of packages. */
const mostPackages = 50_000
const longestText = 300

interface RawPackage {
  name: string | undefined
  version: string | undefined
  purl: string | undefined
}

/** Finds the SBOMs in a log, whatever else it says. */
export function parseSbomLog(log: string): SbomLog {
  const versions = new Map<string, { kind: string; name: string; versions: Set<string> }>()
  let count = 0
  let unnamedCount = 0
  let sbomCount = 0
  let brokenCount = 0
  for (const object of objectsInLog(log)) {
    if ('unreadable' in object) {
      if (looksLikeSbom.test(object.unreadable)) brokenCount++
      continue
    }
    const packages = packagesIn(object.value)
    if (!packages) continue
    sbomCount++
    for (const each of packages) {
      if (++count > mostPackages) break
      const kind = kindOf(each.purl)
      // The image itself.
      if (kind === 'oci') continue
      const name = each.name?.slice(0, longestText)
      if (!name) {
        unnamedCount++
        continue
      }
      const key = JSON.stringify([kind, name])
      const known = versions.get(key) ?? { kind, name, versions: new Set<string>() }
      if (each.version) known.versions.add(each.version.slice(0, longestText))
      versions.set(key, known)
    }
  }
  return {
    packages: [...versions.values()].map((each) => ({ ...each, versions: [...each.versions].sort() })),
    gap: gapOf({ sbomCount, brokenCount, unnamedCount, isCut: count > mostPackages }),
  }
}

interface Unread {
  sbomCount: number
  brokenCount: number
  unnamedCount: number
  isCut: boolean
}

function gapOf({ sbomCount, brokenCount, unnamedCount, isCut }: Unread): string | undefined {
  if (brokenCount > 0) return 'The SBOM in its log is cut off or invalid.'
  if (sbomCount === 0) return 'Its log has no SBOM in a known format.'
  if (isCut) return `Only its first ${mostPackages.toLocaleString('en-US')} packages are read.`
  return unnamedCount > 0 ? `${unnamedCount} of its packages have no name.` : undefined
}

/** How an SBOM begins that is too long for its log, or was interrupted. */
const looksLikeSbom = /^\{\s*"(?:spdxVersion|SPDXID|bomFormat|\$schema|dataLicense)"/

/** @returns `undefined` for an object in another format */
const packagesIn = (value: Record<string, unknown>): Iterable<RawPackage> | undefined => spdx(value) ?? cycloneDx(value)

/** Source: spdx.github.io/spdx-spec/v2.3. */
function spdx({ spdxVersion, packages }: Record<string, unknown>): RawPackage[] | undefined {
  if (!/^SPDX-2\./.test(asText(spdxVersion) ?? '') || !Array.isArray(packages)) return undefined
  return packages.map((each) => {
    const { name, versionInfo, externalRefs } = asRecord(each)
    const purl = asArray(externalRefs)
      .map(asRecord)
      .find(({ referenceType }) => referenceType === 'purl')?.referenceLocator
    return { name: asText(name), version: asText(versionInfo), purl: asText(purl) }
  })
}

/** Kinds of components that are no packages. */
const otherTypes: readonly unknown[] = ['file', 'container', 'data', 'device', 'cryptographic-asset']

/** Source: cyclonedx.org, JSON reference 1.6. Components may contain others. */
function cycloneDx({ bomFormat, components }: Record<string, unknown>): Iterable<RawPackage> | undefined {
  return bomFormat === 'CycloneDX' ? componentsIn(components) : undefined
}

function* componentsIn(components: unknown): Generator<RawPackage> {
  // Not by recursion: a hostile SBOM may be nested deeply.
  const waiting = [...asArray(components)].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { type, group, name, version, purl, components: own } = asRecord(next)
    waiting.push(...asArray(own).toReversed())
    if (!isRecord(next) || otherTypes.includes(type)) continue
    const fullName = [asText(group), asText(name)].filter(Boolean).join('/')
    yield { name: asText(name) && fullName, version: asText(version), purl: asText(purl) }
  }
}

const kindOf = (purl = ''): string => /^pkg:\/{0,2}([a-z][a-z0-9.+-]{0,30})\//i.exec(purl)?.[1]?.toLowerCase() ?? ''

/** The packages of a component of a snapshot. */
export interface ComponentSbom {
  component: string
  packages: readonly SbomPackage[]
  gap: string | undefined
}

export interface PackageChange {
  key: string
  component: string
  kind: string
  name: string
  change: 'Added' | 'Removed' | 'Changed'
  /** The versions in each image, separated by commas; empty if it does not have the package. */
  before: string
  after: string
}

/**
 * How the packages of images differ. A component counts only if it is in both snapshots, and both of its SBOMs are known
 * as a whole: a package that was not read would look added or removed.
 */
export function packageChanges(before: readonly ComponentSbom[], after: readonly ComponentSbom[]): PackageChange[] {
  const current = knownByComponent(after)
  return [...knownByComponent(before)].flatMap(([component, had]): PackageChange[] => {
    const has = current.get(component)
    if (!has) return []
    return [...new Set([...had.keys(), ...has.keys()])].flatMap((key): PackageChange[] => {
      const [old, now] = [had.get(key), has.get(key)]
      const { kind, name } = now ?? old ?? { kind: '', name: '' }
      const versions = { before: old?.versions.join(', ') ?? '', after: now?.versions.join(', ') ?? '' }
      if (old && now && versions.before === versions.after) return []
      const change = !old ? 'Added' : !now ? 'Removed' : 'Changed'
      return [{ key: `${component} ${key}`, component, kind, name, change, ...versions }]
    })
  })
}

const knownByComponent = (sboms: readonly ComponentSbom[]): Map<string, Map<string, SbomPackage>> =>
  new Map(
    sboms
      .filter(({ gap }) => gap === undefined)
      .map(({ component, packages }) => [
        component,
        new Map(packages.map((each) => [JSON.stringify([each.kind, each.name]), each])),
      ]),
  )
