import { type Stored, stored } from '../../lib/stored'

/** A list from which an item was opened, as it was then: its filter and its order stay while the user goes through it. */
export interface OpenedList {
  /** What is listed, such as `Pipeline runs`. */
  label: string
  /** The URL of the list, with its filters and order. */
  url: string
  /** The URLs of its items: at most `mostAround` before the opened one, and as many after it. */
  items: readonly string[]
  /** How many items come before these. */
  offset: number
  /** How many items the list has. */
  total: number
}

/** Enough to go through one by one; all URLs of a long list would fill the storage. */
const mostAround = 250

/** From the list of applications to a task run of a pipeline run, and some more. */
const mostLists = 5

/** The lists that this tab of the browser has opened, newest first. They survive a reload. */
export const openedLists: Stored<readonly OpenedList[]> = stored('slipway-opened-lists', parseLists, {
  storage: 'session',
})

function parseLists(value: unknown): readonly OpenedList[] {
  return Array.isArray(value) ? value.filter(isOpenedList).slice(0, mostLists) : []
}

const isOpenedList = (value: unknown): value is OpenedList => {
  if (typeof value !== 'object' || value === null) return false
  const { label, url, items, offset, total }: Partial<Record<keyof OpenedList, unknown>> = value
  return (
    typeof label === 'string' &&
    isPath(url) &&
    Array.isArray(items) &&
    items.every(isPath) &&
    Number.isInteger(offset) &&
    Number.isInteger(total)
  )
}

/** Whether it is a path of the console: two slashes would lead to another site. */
const isPath = (value: unknown): value is string => typeof value === 'string' && /^\/(?!\/)/.test(value)

/** Remembers a list when one of its items is opened; nothing if the item is not in it. @param items all of them */
export function rememberList(
  { label, url }: Pick<OpenedList, 'label' | 'url'>,
  items: readonly string[],
  opened: string,
) {
  const index = items.indexOf(opened)
  if (index === -1) return
  const offset = Math.max(0, index - mostAround)
  const list = { label, url, items: items.slice(offset, index + mostAround + 1), offset, total: items.length }
  const others = openedLists.get().filter((other) => pathOf(other.url) !== pathOf(url) || other.label !== label)
  openedLists.set([list, ...others].slice(0, mostLists))
}

/** Where a page is in a list. */
export interface Position {
  list: OpenedList
  /** From 1. */
  number: number
  previous: string | undefined
  next: string | undefined
}

/** The position of a page in the list from which it was opened last. @param page its path without a query */
export function positionOf(page: string, lists: readonly OpenedList[]): Position | undefined {
  for (const list of lists) {
    const index = list.items.findIndex((item) => pathOf(item) === page)
    if (index === -1) continue
    return { list, number: list.offset + index + 1, previous: list.items[index - 1], next: list.items[index + 1] }
  }
  return undefined
}

export const pathOf = (url: string): string => url.replace(/[?#].*/s, '')

/** Whether a path is that of an item or of one of its tabs. @param page the path of the item */
export const isWithin = (page: string, pathname: string): boolean =>
  pathname === page || pathname.startsWith(`${page}/`)

/** The current tab, of another item: `/logs` of the next run. @param page the path of the current item */
export function sameTab(item: string, page: string, pathname: string): string {
  const path = pathOf(item)
  return path + pathname.slice(page.length) + item.slice(path.length)
}
