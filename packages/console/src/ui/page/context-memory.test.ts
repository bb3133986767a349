import { beforeEach, expect, it, test } from 'vitest'
import { contextMemory, rememberRecent, rememberTab } from './context-memory'

beforeEach(() => localStorage.clear())

it('NAV-19, NAV-20, PREF-04 remembers the five items chosen last, each once', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) rememberRecent('namespace', name)
  rememberRecent('namespace', 'b')
  expect(contextMemory.get().recentItems.namespace).toEqual(['b', 'e', 'd', 'c', 'a'])
  rememberRecent('namespace', 'f')
  expect(contextMemory.get().recentItems.namespace).toEqual(['f', 'b', 'e', 'd', 'c'])
  expect(localStorage.getItem('context-switcher')).toContain('["f","b","e","d","c"]')
})

it('NAV-21, NAV-22 remembers them separately for each type of resource', () => {
  rememberRecent('namespace', 'a')
  rememberRecent('application', 'x')
  rememberTab('namespace', 0)
  rememberTab('application', 1)
  expect(contextMemory.get()).toEqual({
    recentItems: { namespace: ['a'], application: ['x'] },
    lastTab: { namespace: 0, application: 1 },
  })
})

it('NAV-20, NAV-21 ignores invalid parts of what is stored', () => {
  const recentItems = { namespace: [null, {}, 'a', 7, ['b'], 'c', 'd', 'e', 'f', 'g'], ['__proto__']: ['x'] }
  const stored = { recentItems, lastTab: { namespace: 7, application: 0, secret: 'Recent', constructor: null } }
  localStorage.setItem('context-switcher', JSON.stringify(stored))
  const { recentItems: recent, lastTab } = contextMemory.get()
  expect(recent.namespace).toEqual(['a', 'c', 'd', 'e', 'f'])
  expect(recent.toString).toBe(Object.prototype.toString)
  expect(lastTab).toEqual({ namespace: 1, application: 0, secret: 1, constructor: 1 })
})

test.each(['{', '7', 'null', '[]', '{"recentItems":7,"lastTab":[]}', '{"recentItems":{"namespace":"a"}}'])(
  'survives %j in storage',
  (text) => {
    localStorage.setItem('context-switcher', text)
    expect(contextMemory.get().recentItems.namespace ?? []).toEqual([])
    rememberRecent('namespace', 'a')
    expect(contextMemory.get().recentItems.namespace).toEqual(['a'])
  },
)
