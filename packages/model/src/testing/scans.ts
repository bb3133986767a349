import type { Scan } from '../vulnerabilities/scans'
import type { Vulnerability } from '../vulnerabilities/vulnerability'

/** A fixable vulnerability of `zlib`. */
export const aVulnerability = (id: string, over: Partial<Vulnerability> = {}): Vulnerability => ({
  id,
  aliases: [],
  severity: 'High',
  package: 'zlib',
  installed: '1.0',
  fixedIn: '1.1',
  link: undefined,
  ...over,
})

/** What a scan of a build of `api` found, with the names of its run and task run. */
export const someFindings = (build: string, vulnerabilities: Vulnerability[], over: Partial<Scan> = {}): Scan => ({
  namespace: 'team',
  application: 'checkout',
  component: 'api',
  image: undefined,
  commit: undefined,
  pipelineRun: build,
  taskRun: `${build}-scan`,
  scannedAt: '2026-01-01T09:00:00Z',
  vulnerabilities,
  gap: undefined,
  ...over,
})
