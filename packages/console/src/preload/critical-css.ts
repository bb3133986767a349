import postcss, { type AtRule, type ChildNode, type Container, type Declaration, type Root, type Rule } from 'postcss'

/** Rules for states that a page can only get into while it is used. */
const laterStates = /:(hover|focus|focus-visible|focus-within|active|checked|disabled|target|placeholder-shown)\b/
/** Rules for another direction or contrast, which no page starts with, and for what inherits another theme's glass. */
const otherSettings = /-dir-rtl|\[dir=|theme-high-contrast|theme-glass|theme-felt/
/** Classes that the first script may add. */
const addedClasses = ['pf-v6-theme-dark', 'pf-m-collapsed']

/** Style sheets to select from, once. */
export interface ParsedSheets {
  first: Root
  later: Root
}

/**
 * @param sheets in the order in which they apply. Those after the first arrive later than the first, whose rules would
 *   then win; so the rules of the others get an id's weight until the page itself is there
 */
export const parseSheets = ([first = '', ...others]: readonly string[]): ParsedSheets => ({
  first: postcss.parse(first),
  later: postcss.parse(others.join('')),
})

/**
 * The rules of style sheets that a page needs while its HTML is all there is. Whether a rule applies is judged by names
 * of classes, tags and ids alone, so that a few too many remain.
 * @param html has no inline styles: they are rules too
 */
export function criticalCss(html: string, { first: root, later }: ParsedSheets): string {
  const mayMatch = matcherFor(html)
  prune(root, (selector) => (mayMatch(selector) ? selector : undefined))
  prune(later, (selector) => (mayMatch(selector) ? withWeight(selector) : undefined))
  root.append(later.nodes)
  removeUnused(root)
  return root.toString()
}

/** Adds the weight of an id to what a selector selects. */
const withWeight = (selector: string): string => selector.replace(/(::[\w-]+)?$/, ':not(#_)$1')

/** @param select returns the selector to keep, if any */
function prune(container: Container<ChildNode>, select: (selector: string) => string | undefined): void {
  // A copy, since nodes are removed meanwhile.
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type === 'comment') node.remove()
    else if (node.type === 'rule') pruneRule(node, select)
    else if (node.type === 'atrule') pruneAtRule(node, select)
  }
}

function pruneRule(rule: Rule, select: (selector: string) => string | undefined): void {
  const selectors = rule.selectors.flatMap((selector) => select(selector) ?? [])
  if (selectors.length === 0) return void rule.remove()
  rule.selectors = selectors
  // Files are relative to the sheet, and come with it.
  rule.walkDecls(/./, (declaration) => {
    if (/url\((?!["']?data:)/.test(declaration.value)) declaration.remove()
  })
}

function pruneAtRule(rule: AtRule, select: (selector: string) => string | undefined): void {
  if (rule.name === 'keyframes') return
  const isForScreens = !/print|forced-colors|prefers-contrast/.test(rule.params)
  if (!['media', 'supports', 'layer', 'container'].includes(rule.name) || !isForScreens) return void rule.remove()
  prune(rule, select)
  if (rule.nodes?.length === 0) rule.remove()
}

/** Removes custom properties that no value refers to, animations that none names, and rules that are then empty. */
function removeUnused(root: Container<ChildNode>): void {
  const byName = new Map<string, Declaration[]>()
  const used = new Set<string>()
  const use = (value: string) => {
    for (const [, name = ''] of value.matchAll(/var\(\s*(--[\w-]+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      for (const declaration of byName.get(name) ?? []) use(declaration.value)
    }
  }
  root.walkDecls(/^--/, (declaration) => {
    byName.set(declaration.prop, [...(byName.get(declaration.prop) ?? []), declaration])
  })
  const animations: string[] = []
  root.walkDecls((declaration) => {
    if (!declaration.prop.startsWith('--')) use(declaration.value)
    if (declaration.prop.startsWith('animation')) animations.push(declaration.value)
  })
  for (const [name, declarations] of byName)
    if (used.has(name)) animations.push(...declarations.map(({ value }) => value))
    else for (const declaration of declarations) declaration.remove()
  root.walkAtRules('keyframes', (rule) => {
    if (!animations.some((value) => value.includes(rule.params))) rule.remove()
  })
  root.walkRules((rule) => {
    if (rule.nodes.length === 0) rule.remove()
  })
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove()
  })
}

function matcherFor(html: string): (selector: string) => boolean {
  const names = (pattern: RegExp) => new Set([...html.matchAll(pattern)].flatMap(([, name = '']) => name.split(' ')))
  const tags = names(/<([a-z][\w-]*)/g)
  const classes = new Set([...names(/ class="([^"]*)"/g), ...addedClasses])
  const ids = names(/ id="([^"]*)"/g)
  for (const tag of ['html', 'body']) tags.add(tag)
  const mayMatch = (selector: string): boolean => {
    if (laterStates.test(selector) || otherSettings.test(selector)) return false
    const { plain, alternatives } = split(selector)
    return (
      all(plain, /\.([\w-]+)/g, classes) &&
      all(plain, /#([\w-]+)/g, ids) &&
      all(plain, /(?<![\w.#:[-])([a-z][\w-]*)/g, tags) &&
      alternatives.every((list) => list.some(mayMatch))
    )
  }
  return mayMatch
}

const all = (text: string, pattern: RegExp, names: ReadonlySet<string>): boolean =>
  [...text.matchAll(pattern)].every(([, name = '']) => names.has(name))

/** A selector without what is in brackets, and the alternatives of each `:is()` and `:where()`. */
function split(selector: string): { plain: string; alternatives: string[][] } {
  let plain = ''
  const alternatives: string[][] = []
  const withoutAttributes = selector.replace(/\[[^\]]*\]/g, '')
  for (let index = 0; index < withoutAttributes.length; index++) {
    const rest = withoutAttributes.slice(index)
    const [start, name] = /^:([\w-]+)\(/.exec(rest) ?? []
    if (!start) {
      plain += rest[0]
      continue
    }
    let depth = 1
    let end = start.length
    for (; depth > 0 && end < rest.length; end++) depth += rest[end] === '(' ? 1 : rest[end] === ')' ? -1 : 0
    if (name === 'is' || name === 'where') alternatives.push(postcss.list.comma(rest.slice(start.length, end - 1)))
    index += end - 1
  }
  return { plain, alternatives }
}
