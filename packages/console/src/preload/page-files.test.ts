import { expect, it } from 'vitest'
import { filesAt, filesOfPages } from './page-files'

const script = (name: string, { modules = [], imports = [], css = [], isEntry = false }: Partial<Given> = {}) => ({
  fileName: `${name}.js`,
  moduleIds: modules.map((module) => `/src/${module}`),
  imports: imports.map((each) => `${each}.js`),
  css,
  isEntry,
})
interface Given {
  modules: string[]
  imports: string[]
  css: string[]
  isEntry: boolean
}

const scripts = [
  script('index', { modules: ['main.tsx', 'Overview.tsx'], imports: ['frame'], css: ['index.css'], isEntry: true }),
  script('frame'),
  script('list', { modules: ['List.tsx', 'ListPage.tsx'], imports: ['table', 'index'] }),
  script('table', { imports: ['list'], css: ['table.css'] }),
  script('menu', { modules: ['Menu.tsx'], imports: ['frame'] }),
]

it.each<[string, string[], string[]]>([
  ['what its modules import, and style sheets', ['ListPage', 'Menu'], ['list.js', 'table.js', 'table.css', 'menu.js']],
  ['nothing that index.html names', ['Overview'], []],
  ['no module whose name only begins alike', ['Men'], []],
  ['nothing', [], []],
])('a page has %s', (_, modules, expected) => {
  const attributes = filesOfPages([[], modules, ['Menu']], { scripts, source: '/src/' })
  expect(filesAt(attributes, 1)).toEqual(expected)
  expect(filesAt(attributes, 0)).toEqual([])
  expect(filesAt(attributes, 2)).toEqual(['menu.js'])
  expect(filesAt(attributes, -1)).toEqual([])
})

it('a document of one page has only its own files', () => {
  expect(filesAt({ files: 'a.js b.css' }, 7)).toEqual(['a.js', 'b.css'])
  expect(filesAt({ files: '' }, 7)).toEqual([])
  expect(filesAt({}, 7)).toEqual([])
})
