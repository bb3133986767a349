import { describe, expect, it, test, vi } from 'vitest'
import {
  parseScan,
  parseTestOutput,
  scanResultNames,
  testOutputOf,
  totalVulnerabilities,
  vulnerabilitiesOf,
} from './task-results'
import type { RunResult } from './tekton'
import { aTaskRun } from '../testing'

const scan = (name: string, vulnerabilities: object) => ({ name, value: JSON.stringify({ vulnerabilities }) })

describe('scans', () => {
  it.each(['CLAIR_SCAN_RESULT', 'CLAIR_SCAN_RESULTS', 'CVE_SCAN_RESULT', 'TEKTON_SCAN_RESULTS', 'SCAN_OUTPUT'])(
    'STAT-52 are read from %s',
    (name) => {
      const run = aTaskRun({
        status: { results: [scan(name, { critical: 1, high: 2, medium: 3, low: 4, unknown: 5 })] },
      })
      expect(vulnerabilitiesOf(run)).toEqual({ critical: 1, high: 2, medium: 3, low: 4, unknown: 5 })
    },
  )

  it('STAT-52 are not read from other results', () => {
    expect(scanResultNames).toHaveLength(5)
    expect(vulnerabilitiesOf(aTaskRun({ status: { results: [scan('OTHER', { critical: 1 })] } }))).toBeUndefined()
  })

  it('STAT-53, STAT-54 are summed over a task and over all tasks of a run', () => {
    const all = { critical: 1, high: 2, medium: 3, low: 4, unknown: 5 }
    const first = aTaskRun({
      status: { results: [scan('SCAN_OUTPUT', all), scan('CVE_SCAN_RESULT', { critical: 2 })] },
    })
    const second = aTaskRun({ status: { results: [scan('CLAIR_SCAN_RESULT', all)] } })
    expect(totalVulnerabilities([first, aTaskRun(), second])).toEqual({
      critical: 4,
      high: 4,
      medium: 6,
      low: 8,
      unknown: 10,
    })
    expect(totalVulnerabilities([aTaskRun()])).toBeUndefined()
  })

  it('ERR-36 with invalid data are logged once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const run = aTaskRun({ status: { results: [{ name: 'SCAN_OUTPUT', value: 'no JSON' }] } })
    expect(vulnerabilitiesOf(run)).toBeUndefined()
    expect(vulnerabilitiesOf(run)).toBeUndefined()
    expect(warn.mock.calls).toEqual([['The result SCAN_OUTPUT could not be read: "no JSON"']])
    warn.mockRestore()
  })

  it('ERR-36 without a value are ignored', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    // An archive may contain this.
    const results = [{ name: 'SCAN_OUTPUT' }] as RunResult[]
    expect(vulnerabilitiesOf(aTaskRun({ status: { results } }))).toBeUndefined()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"vulnerabilities":'],
    ['no object', '"critical"'],
    ['null', 'null'],
    ['a list', '{"vulnerabilities":[1]}'],
    ['no vulnerabilities', '{}'],
  ])('ERR-36 %s is not a valid scan', (_, text) => expect(parseScan(text)).toBeUndefined())

  it('ERR-36 invalid counts are 0', () => {
    expect(parseScan('{"vulnerabilities":{"critical":"nine","high":-1,"medium":2,"low":null,"unknown":""}}')).toEqual({
      critical: 0,
      high: 0,
      medium: 2,
      low: 0,
      unknown: 0,
    })
  })

  it('GRAPH-11, STAT-53 counts written as strings are parsed as numbers', () => {
    expect(
      parseScan('{"vulnerabilities":{"critical":"9","high":" 12 ","medium":"2.0","low":"-3","unknown":"1e2"}}'),
    ).toEqual({
      critical: 9,
      high: 12,
      medium: 2,
      low: 0,
      unknown: 0,
    })
    expect(parseScan(`{"vulnerabilities":{"critical":"${'9'.repeat(400)}","high":1}}`)).toMatchObject({ critical: 0 })
  })
})

describe('test output', () => {
  it.each(['TEST_OUTPUT', 'HACBS_TEST_OUTPUT'])('ACT-28 is read from %s', (name) => {
    const run = aTaskRun({ status: { results: [{ name, value: '{"result":"ERROR","failures":2}' }] } })
    expect(testOutputOf(run)).toEqual({ result: 'ERROR', successes: 0, failures: 2, warnings: 0 })
  })

  test.each([
    ['nothing', ''],
    ['no JSON', 'SUCCESS'],
    ['no result', '{"successes":1}'],
    ['an unknown result', '{"result":"MAYBE"}'],
    ['a result that is not a string', '{"result":{"toString":1}}'],
    ['null', 'null'],
  ])('ERR-35 %s is invalid', (_, text) => expect(parseTestOutput(text)).toBeUndefined())

  it('GRAPH-07, GRAPH-08, GRAPH-11 counts written as strings are parsed as numbers', () => {
    expect(parseTestOutput('{"result":"FAILURE","successes":"10","failures":"3","warnings":"1"}')).toEqual({
      result: 'FAILURE',
      successes: 10,
      failures: 3,
      warnings: 1,
    })
  })

  it('ERR-35 missing and invalid fields are tolerated', () => {
    expect(parseTestOutput('{"result":"WARNING","warnings":3,"failures":"many","note":"see the log"}')).toEqual({
      result: 'WARNING',
      note: 'see the log',
      successes: 0,
      failures: 0,
      warnings: 3,
    })
  })
})
