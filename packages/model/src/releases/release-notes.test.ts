import { expect, it } from 'vitest'
import { aRelease } from '../testing'
import type { Release } from './release'
import { releaseNotes } from './release-notes'

const release = (data: unknown, collectors?: unknown): Release => aRelease({ spec: { data }, status: { collectors } })

it('REL-44 reads the notes of a release', () => {
  const notes = releaseNotes(
    release({
      releaseNotes: {
        synopsis: ' New prices ',
        topic: 'Prices',
        description: 'All of them',
        solution: 'Update',
        references: ['https://docs.example.com', ''],
        issues: {
          fixed: [{ id: 'SHOP-1', source: 'https://issues.example.com', uploadDate: '2026-01-31' }, { id: 7 }],
        },
        cves: [{ key: 'CVE-2026-1', component: 'api', packages: ['openssl'] }],
        type: 'RHSA',
      },
    }),
  )
  expect(notes).toEqual({
    synopsis: 'New prices',
    topic: 'Prices',
    description: 'All of them',
    solution: 'Update',
    references: ['https://docs.example.com'],
    issues: [
      { id: 'SHOP-1', source: 'https://issues.example.com', uploadDate: '01-31-2026' },
      { id: '7', source: undefined, uploadDate: undefined },
    ],
    cves: [{ key: 'CVE-2026-1', component: 'api', packages: ['openssl'] }],
    others: [{ term: 'type', values: ['RHSA'] }],
  })
})

it('adds what collectors have found, once', () => {
  const fixed = [{ id: 'SHOP-1', source: 'issues.example.com' }]
  const found = {
    tenant: { jira: { releaseNotes: { issues: { fixed } } } },
    managed: { cve: { releaseNotes: { cves: [{ key: 'CVE-2026-2' }] } } },
  }
  const notes = releaseNotes(
    release({ releaseNotes: { issues: { fixed }, references: 'https://docs.example.com' } }, found),
  )
  expect(notes?.issues.map(({ id }) => id)).toEqual(['SHOP-1'])
  expect(notes?.cves.map(({ key }) => key)).toEqual(['CVE-2026-2'])
  expect(notes?.references).toEqual(['https://docs.example.com'])
})

it.each([
  ['no data', undefined, undefined],
  ['data that is a text', 'releaseNotes: {}', 'none'],
  ['no notes', {}, {}],
  ['notes that are a list', { releaseNotes: ['x'] }, { tenant: null }],
  [
    'nonsense in them',
    { releaseNotes: { synopsis: 7, issues: [{ id: 'x' }], cves: { key: 'x' } } },
    { tenant: { jira: [] } },
  ],
  ['nonsense in lists', { releaseNotes: { issues: { fixed: ['x', {}] }, cves: [null, {}] } }, undefined],
])('finds none in %s', (_, data, collectors) => expect(releaseNotes(release(data, collectors))).toBeUndefined())

it.each([
  ['2026-01-31T09:00:00Z', '01-31-2026'],
  ['01-31-2026', '01-31-2026'],
  ['last week', 'last week'],
  [7, undefined],
])('TIME-06 reads the date of a bug, %j, as the day %j', (uploadDate, day) => {
  const notes = releaseNotes(release({ releaseNotes: { issues: { fixed: [{ id: 'SHOP-1', uploadDate }] } } }))
  expect(notes?.issues.map((issue) => issue.uploadDate)).toEqual([day])
})
