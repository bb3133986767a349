import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type ComponentSbom, packageChanges, parseSbomLog, type SbomPackage } from './sbom'

const zlib: SbomPackage = { kind: 'rpm', name: 'zlib', versions: ['1.2.11-40.el9'] }

const spdxPackage = (over: object = {}) => ({
  SPDXID: 'SPDXRef-Package-zlib',
  name: 'zlib',
  versionInfo: '1.2.11-40.el9',
  downloadLocation: 'NOASSERTION',
  externalRefs: [
    { referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: 'cpe:2.3:a:zlib:zlib' },
    {
      referenceCategory: 'PACKAGE-MANAGER',
      referenceType: 'purl',
      referenceLocator: 'pkg:rpm/redhat/zlib@1.2.11-40.el9?arch=x86_64',
    },
  ],
  ...over,
})
const spdx = (...packages: unknown[]) => ({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', packages })
const component = (over: object = {}) => ({
  type: 'library',
  name: 'zlib',
  version: '1.2.11-40.el9',
  purl: 'pkg:rpm/redhat/zlib@1.2.11-40.el9',
  ...over,
})
const cycloneDx = (...components: unknown[]) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
const json = (value: unknown) => JSON.stringify(value)

describe('an SBOM in a log', () => {
  it.each<[string, string, SbomPackage[]]>([
    ['in SPDX', json(spdx(spdxPackage())), [zlib]],
    ['in SPDX on several lines', JSON.stringify(spdx(spdxPackage()), undefined, 2), [zlib]],
    ['in CycloneDX', json(cycloneDx(component())), [zlib]],
    ['between other lines', `Failed to get SBOM. Retry 1\n${json(spdx(spdxPackage()))}\n`, [zlib]],
    ['without a package URL', json(spdx(spdxPackage({ externalRefs: undefined }))), [{ ...zlib, kind: '' }]],
    ['without a version', json(cycloneDx(component({ version: undefined }))), [{ ...zlib, versions: [] }]],
    [
      'with two versions of a package',
      json(
        spdx(spdxPackage({ versionInfo: '2' }), spdxPackage({ versionInfo: '1' }), spdxPackage({ versionInfo: '2' })),
      ),
      [{ ...zlib, versions: ['1', '2'] }],
    ],
    [
      'with a group',
      json(cycloneDx(component({ group: '@babel', name: 'core', version: '7', purl: 'pkg:npm/%40babel/core@7' }))),
      [{ kind: 'npm', name: '@babel/core', versions: ['7'] }],
    ],
    [
      'with components in others',
      json(cycloneDx({ type: 'application', name: 'app', version: '1', components: [component()] })),
      [{ kind: '', name: 'app', versions: ['1'] }, zlib],
    ],
    [
      'with the image itself',
      json(
        spdx(
          spdxPackage({
            name: 'api',
            externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:oci/api@sha256:a' }],
          }),
          spdxPackage(),
        ),
      ),
      [zlib],
    ],
    ['with files', json(cycloneDx(component({ type: 'file', name: '/etc/passwd' }), component())), [zlib]],
    ['of an image without packages', json(cycloneDx()), []],
  ])('%s', (_, log, packages) => expect(parseSbomLog(log)).toEqual({ packages, gap: undefined }))

  it.each<[string, string, RegExp]>([
    ['that is missing', 'Failed to get SBOM', /has no SBOM in a known format/],
    ['that is empty', '', /has no SBOM in a known format/],
    ['in another format', json({ spdxVersion: 'SPDX-3.0', packages: [] }), /has no SBOM in a known format/],
    ['that is cut off', json(spdx(spdxPackage())).slice(0, 200), /is cut off or invalid/],
    [
      'with nonsense',
      json(spdx(null, 1, spdxPackage({ name: { a: 1 } }), spdxPackage())),
      /3 of its packages have no name/,
    ],
  ])('%s is not known as a whole', (_, log, gap) => expect(parseSbomLog(log).gap).toMatch(gap))

  it('of more packages than any image has is read in part', () => {
    const packages = Array.from({ length: 50_001 }, (_, at) => ({ name: `p${at}` }))
    const { packages: found, gap } = parseSbomLog(json(spdx(...packages)))
    expect(found).toHaveLength(50_000)
    expect(gap).toBe('Only its first 50,000 packages are read.')
  })

  it('may be nested as deeply as a log allows', () => {
    const deep = `{"type":"library","name":"x","components":[`.repeat(5_000)
    const log = `{"bomFormat":"CycloneDX","components":[${deep}${']}'.repeat(5_000)}]}`
    expect(parseSbomLog(log)).toEqual({ packages: [{ kind: '', name: 'x', versions: [] }], gap: undefined })
  })

  test('survives any packages', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const { packages } = parseSbomLog(json(spdx(...values)))
        expect(packages.every(({ name }) => name.length > 0)).toBe(true)
        parseSbomLog(json(cycloneDx(...values)))
      }),
    ))
})

describe('the packages of two snapshots', () => {
  const sbom = (component: string, versions: Record<string, string[]>, gap?: string): ComponentSbom => ({
    component,
    packages: Object.entries(versions).map(([name, own]) => ({ kind: 'rpm', name, versions: own })),
    gap,
  })
  const changesOf = (before: ComponentSbom[], after: ComponentSbom[]) =>
    packageChanges(before, after).map((each) =>
      [each.component, each.change, each.name, each.before, each.after].join(' '),
    )

  test.each<[string, ComponentSbom[], ComponentSbom[], string[]]>([
    ['are the same', [sbom('api', { zlib: ['1'] })], [sbom('api', { zlib: ['1'] })], []],
    ['differ in a version', [sbom('api', { zlib: ['1'] })], [sbom('api', { zlib: ['2'] })], ['api Changed zlib 1 2']],
    [
      'differ in one of the versions of a package',
      [sbom('api', { zlib: ['1', '2'] })],
      [sbom('api', { zlib: ['2'] })],
      ['api Changed zlib 1, 2 2'],
    ],
    [
      'were added and removed',
      [sbom('api', { zlib: ['1'] })],
      [sbom('api', { curl: ['8'] })],
      ['api Removed zlib 1 ', 'api Added curl  8'],
    ],
    ['are not compared if one is not fully known', [sbom('api', { zlib: ['1'] })], [sbom('api', {}, 'cut off')], []],
    ['are not compared for a component of one of them', [sbom('api', { zlib: ['1'] })], [sbom('web', {})], []],
  ])('%s', (_, before, after, expected) => expect(changesOf(before, after)).toEqual(expected))

  test('of different types are different ones', () => {
    const [before, after] = ['rpm', 'npm'].map((kind) => ({ ...sbom('api', {}), packages: [{ ...zlib, kind }] }))
    expect(packageChanges([before ?? sbom('', {})], [after ?? sbom('', {})]).map(({ change }) => change)).toEqual([
      'Removed',
      'Added',
    ])
  })
})
