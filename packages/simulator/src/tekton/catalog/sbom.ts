import { integerBetween, type Random } from '../../keyed-random'

const packageCount = 520

/**
 * An SBOM in SPDX format. In one line, as tools print it, it has about 100 kB.
 * @param random decides which packages the image has in newer versions than others
 */
export const sbomOf = (image: string, random: Random) => {
  const updated = new Set(Array.from({ length: 4 }, () => integerBetween(random, 0, packageCount - 1)))
  const added = `plugin-${integerBetween(random, 1, 9)}`
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: image,
    packages: [
      ...Array.from({ length: packageCount }, (_, index) =>
        packageOf(
          index,
          `library-${index}`,
          `${(index % 7) + (updated.has(index) ? 1 : 0)}.${index % 13}.${index % 5}`,
        ),
      ),
      packageOf(packageCount, added, '1.0.0'),
    ],
  }
}

const packageOf = (index: number, name: string, version: string) => ({
  SPDXID: `SPDXRef-Package-${index}`,
  name,
  versionInfo: version,
  downloadLocation: 'NOASSERTION',
  licenseDeclared: index % 3 === 0 ? 'Apache-2.0' : 'MIT',
  externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:generic/${name}@${version}` }],
})
