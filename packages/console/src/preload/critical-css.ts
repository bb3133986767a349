import postcss, { type AtRule, type ChildNode, type Container, type Declaration, type Root, type Rule } from 'postcss'

/** Rules for states that a page can only get into while it is used. */
const laterStates = /:(hover|focus|focus-visible|focus-within|active|checked|disabled|target|placeholder-shown)\b/
/** Rules for another direction or contrast, which no page starts with, and for what inherits another theme's glass. */
const otherSettings = /-dir-rtl|\[dir=|theme-high-contrast|theme-glass|theme-felt/
/** Classes that the first script may add. */
const addedClasses = ['pf-v6-theme-dark', 'pf-m-collapsed']

/** Style sheets to select from, once, without what no HTML needs. */
export interface ParsedSheets {
  root: Root
  /** By the selectors of a rule: each of them, and what it needs. */
  choices: ReadonlyMap<string, readonly Choice[]>
}

interface Choice {
  selector: string
  needs: Needs
}

/** Names that must be in the HTML for a selector to match; of each list of alternatives, those of one. */
interface Needs {
  classes: readonly string[]
  ids: readonly string[]
  tags: readonly string[]
  alternatives: readonly (readonly Needs[])[]
}

/**
 * Does all that does not depend on the HTML, so that the rest is fast.
 * @param sheets in the order in which they apply. Those after the first arrive later than the first, whose rules would
 *   then win; so the rules of the others get an id's weight until the page itself is there
 */
export function parseSheets([first = '', ...others]: readonly string[]): ParsedSheets {
  const root = postcss.parse(first)
  const later = postcss.parse(others.join(''))
  const choices = new Map<string, readonly Choice[]>()
  const prepare = (container: Container<ChildNode>, adapt: (selector: string) => string) =>
    prune(container, (rule) => {
      const possible = rule.selectors.flatMap((each) => {
        const needs = needsOf(each)
        return needs ? [{ selector: adapt(each), needs }] : []
      })
      keepSelectors(rule, possible)
      choices.set(rule.selector, possible)
      // Files are relative to the sheet, and come with it.
      rule.walkDecls(/./, (declaration) => {
        if (/url\((?!["']?data:)/.test(declaration.value)) declaration.remove()
      })
      return possible.length > 0
    })
  prepare(root, (selector) => selector)
  prepare(later, withWeight)
  root.append(later.nodes)
  return { root, choices }
}

/** What `parseSheets` returns, as JSON can keep it. */
export interface PackedSheets {
  css: string
  choices: [string, readonly Choice[]][]
}

export function packSheets(sheets: readonly string[]): PackedSheets {
  const { root, choices } = parseSheets(sheets)
  return { css: root.toString(), choices: [...choices] }
}

export const unpackSheets = ({ css, choices }: PackedSheets): ParsedSheets => ({
  root: postcss.parse(css),
  choices: new Map(choices),
})

/**
 * The rules of style sheets that a page needs while its HTML is all there is. Whether a rule applies is judged by names
 * of classes, tags and ids alone, so that a few too many remain.
 * @param html has no inline styles: they are rules too
 */
export function criticalCss(html: string, { root, choices }: ParsedSheets): string {
  const isMet = matcherFor(html)
  prune(root, (rule) => {
    const possible = choices.get(rule.selector) ?? []
    const kept = possible.filter(({ needs }) => isMet(needs))
    if (kept.length < possible.length) keepSelectors(rule, kept)
    return kept.length > 0
  })
  removeUnused(root)
  return root.toString()
}

/** Adds the weight of an id to what a selector selects. */
const withWeight = (selector: string): string => selector.replace(/(::[\w-]+)?$/, ':not(#_)$1')

function keepSelectors(rule: Rule, kept: readonly Choice[]): void {
  if (kept.length > 0) rule.selectors = kept.map(({ selector }) => selector)
}

/** Removes comments, and the rules that are not to be kept. */
function prune(container: Container<ChildNode>, isKept: (rule: Rule) => boolean): void {
  filterNodes(container, (node) => {
    if (node.type === 'rule') return isKept(node)
    return node.type === 'atrule' ? isAtRuleKept(node, isKept) : node.type !== 'comment'
  })
}

function isAtRuleKept(rule: AtRule, isKept: (rule: Rule) => boolean): boolean {
  if (rule.name === 'keyframes') return true
  const isForScreens = !/print|forced-colors|prefers-contrast/.test(rule.params)
  if (!['media', 'supports', 'layer', 'container'].includes(rule.name) || !isForScreens) return false
  prune(rule, isKept)
  return rule.nodes?.length !== 0
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
    const others = byName.get(declaration.prop)
    if (others) others.push(declaration)
    else byName.set(declaration.prop, [declaration])
  })
  const animations: string[] = []
  root.walkDecls((declaration) => {
    if (!declaration.prop.startsWith('--')) use(declaration.value)
    if (declaration.prop.startsWith('animation')) animations.push(declaration.value)
  })
  for (const [name, declarations] of byName)
    if (used.has(name)) animations.push(...declarations.map(({ value }) => value))
  const isUsed = (node: ChildNode): boolean => {
    if (node.type === 'decl') return !node.prop.startsWith('--') || used.has(node.prop)
    if (node.type === 'atrule' && node.name === 'keyframes')
      return animations.some((value) => value.includes(node.params))
    if (node.type === 'comment' || !node.nodes) return true
    filterNodes(node, isUsed)
    return node.nodes.length > 0
  }
  filterNodes(root, isUsed)
}

/** Removing nodes one by one would look for each among the others. */
function filterNodes(container: Container<ChildNode>, isKept: (node: ChildNode) => boolean): void {
  container.nodes = container.nodes?.filter(isKept)
}

function matcherFor(html: string): (needs: Needs) => boolean {
  const names = (pattern: RegExp) => new Set([...html.matchAll(pattern)].flatMap(([, name = '']) => name.split(' ')))
  const tags = names(/<([a-z][\w-]*)/g)
  const classes = new Set([...names(/ class="([^"]*)"/g), ...addedClasses])
  const ids = names(/ id="([^"]*)"/g)
  for (const tag of ['html', 'body']) tags.add(tag)
  const isMet = (needs: Needs): boolean =>
    needs.classes.every((name) => classes.has(name)) &&
    needs.ids.every((name) => ids.has(name)) &&
    needs.tags.every((name) => tags.has(name)) &&
    needs.alternatives.every((list) => list.some(isMet))
  return isMet
}

/** `undefined` if no page needs the selector. */
function needsOf(selector: string): Needs | undefined {
  if (laterStates.test(selector) || otherSettings.test(selector)) return undefined
  const { plain, alternatives } = split(selector)
  return {
    classes: namesIn(plain, /\.([\w-]+)/g),
    ids: namesIn(plain, /#([\w-]+)/g),
    tags: namesIn(plain, /(?<![\w.#:[-])([a-z][\w-]*)/g),
    alternatives: alternatives.map((list) => list.flatMap((each) => needsOf(each) ?? [])),
  }
}

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)

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
