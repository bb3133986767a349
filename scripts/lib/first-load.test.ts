import { expect, test } from 'vitest'
import { firstLoadFiles } from './first-load.mjs'

const overview = 'src/features/overview/OverviewPage.tsx'

test('the first load is the entry, the landing route and what both import, each once', () => {
  expect(
    firstLoadFiles({
      'index.html': { file: 'main.js', isEntry: true, imports: ['_react.js'], css: ['main.css'] },
      '_react.js': { file: 'react.js', imports: ['_scheduler.js'] },
      '_scheduler.js': { file: 'scheduler.js', imports: ['_react.js'] },
      [overview]: { file: 'overview.js', imports: ['_react.js', '_card.js'], css: ['card.css'] },
      '_card.js': { file: 'card.js', css: ['card.css'] },
      'src/features/releases/ReleaseListPage.tsx': { file: 'releases.js', css: ['table.css'] },
    }),
  ).toEqual({ js: ['main.js', 'react.js', 'scheduler.js', 'overview.js', 'card.js'], css: ['main.css', 'card.css'] })
})

test('a landing page that is part of the entry is measured with it', () => {
  const entry = { file: 'main.js', isEntry: true, css: ['main.css'] }
  expect(firstLoadFiles({ 'index.html': entry })).toEqual({ js: ['main.js'], css: ['main.css'] })
})
