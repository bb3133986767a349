const packageCount = 520

/** An SBOM in SPDX format. In one line, as tools print it, it has about 100 kB. */
export const sbomOf = (image: string) => ({
  spdxVersion: 'SPDX-2.3',
  dataLicense: 'CC0-1.0',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: image,
  packages: Array.from({ length: packageCount }, (_, index) => {
    const version = `${index % 7}.${index % 13}.${index % 5}`
    return {
      SPDXID: `SPDXRef-Package-${index}`,
      name: `library-${index}`,
      versionInfo: version,
      downloadLocation: 'NOASSERTION',
      licenseDeclared: index % 3 === 0 ? 'Apache-2.0' : 'MIT',
      externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:generic/library-${index}@${version}` }],
    }
  }),
})
