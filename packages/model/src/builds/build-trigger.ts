import { type ASTNode, Environment, serialize } from '@marcbachmann/cel-js'
import { isRecord } from '@slipway/kube/object'
import { asRecord, asText } from '@slipway/kube/parse'
import { parseAllDocuments } from 'yaml'
import { operandsOf } from '../cel-ast'

/**
 * Whether Pipelines as Code starts a pipeline of a repository for an event, and what keeps it from doing so. Source: its
 * guide "Matching a PipelineRun to a Git provider event".
 */

/** A push, or a new or changed pull request. */
export interface GitEvent {
  event: 'push' | 'pull_request'
  /** Without `refs/heads/`. */
  targetBranch: string
  /** That of the push, for a push. */
  sourceBranch: string
  /** First line of the commit's message, or the title of the pull request; `undefined` if unknown. */
  title: string | undefined
  /** Paths that it changes; `undefined` if unknown. */
  files: readonly string[] | undefined
}

/** A pipeline run in the folder `.tekton` of a repository. */
export interface PipelineDefinition {
  name: string
  annotations: Record<string, string>
}

/** `undefined`: what it depends on is not known. */
type Truth = boolean | undefined

/** A condition of a pipeline. */
export interface TriggerTerm {
  /** As it is written: `target_branch == "main"`, `on-event: [push]`. */
  text: string
  isTrue: Truth
  /** What it was compared with, or what has to be known: `target_branch is "feature"`. */
  because: string | undefined
}

export interface TriggerVerdict {
  name: string
  outcome: 'starts' | 'does not start' | 'unknown' | 'invalid'
  /** Why it is invalid, or does not react to pushes and pull requests at all. */
  problem: string | undefined
  /** All of them have to be true, in the order in which they are written. */
  terms: readonly TriggerTerm[]
}

const annotation = (name: string): string => `pipelinesascode.tekton.dev/on-${name}`

/** The pipeline runs in one or more YAML documents. @throws Error for text that is not YAML */
export function definitionsIn(yaml: string): PipelineDefinition[] {
  return parseAllDocuments(yaml).flatMap((document) => {
    const [error] = document.errors
    if (error) throw new Error(error.message.split('\n', 1)[0])
    const root: unknown = document.toJS()
    if (!isRecord(root) || root.kind !== 'PipelineRun') return []
    const { name, generateName, annotations } = asRecord(root.metadata)
    const texts = Object.entries(asRecord(annotations)).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    )
    return [{ name: asText(name) ?? asText(generateName) ?? 'unnamed', annotations: Object.fromEntries(texts) }]
  })
}

/** What an event does with a pipeline. */
export function explainTrigger({ name, annotations }: PipelineDefinition, event: GitEvent): TriggerVerdict {
  const expression = annotations[annotation('cel-expression')]
  try {
    // The expression takes the place of all other annotations.
    const terms = expression === undefined ? annotationTerms(annotations, event) : celTerms(expression, event)
    const truth = allOf(terms.map(({ isTrue }) => isTrue))
    const outcome = truth === undefined ? 'unknown' : truth ? 'starts' : 'does not start'
    return { name, outcome, problem: undefined, terms }
  } catch (error) {
    const problem = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return { name, outcome: 'invalid', problem, terms: [] }
  }
}

const allOf = (parts: readonly Truth[]): Truth =>
  parts.includes(false) ? false : parts.includes(undefined) ? undefined : true
const anyOf = (parts: readonly Truth[]): Truth =>
  parts.includes(true) ? true : parts.includes(undefined) ? undefined : false

function annotationTerms(annotations: Record<string, string>, event: GitEvent): TriggerTerm[] {
  const listOf = (name: string): string[] | undefined => {
    const text = annotations[annotation(name)]?.trim()
    return text === undefined ? undefined : valuesIn(text)
  }
  const [events, branches] = [listOf('event'), listOf('target-branch')]
  if (!events || !branches) {
    if (annotations[annotation('comment')] !== undefined) throw new Error('It starts only when a comment asks for it.')
    throw new Error(
      `It has neither ${annotation('cel-expression')} nor both of ${annotation('event')} and on-target-branch.`,
    )
  }
  const [changed, ignored, labelled] = [listOf('path-change'), listOf('path-change-ignore'), listOf('label')]
  const { files } = event
  const filesText = files ? `${files.length === 1 ? 'one file was' : `${files.length} files were`} changed` : undefined
  const term = (name: string, values: readonly string[], isTrue: Truth, because?: string): TriggerTerm => ({
    text: `on-${name}: [${values.join(', ')}]`,
    isTrue,
    because,
  })
  const touches = (patterns: readonly string[]): Truth =>
    files?.some((file) => patterns.some((pattern) => matchesGlob(pattern, file)))
  return [
    term('event', events, events.includes(event.event), `event is "${event.event}"`),
    term(
      'target-branch',
      branches,
      branches.some((branch) => isBranch(branch, event.targetBranch)),
      `target_branch is "${event.targetBranch}"`,
    ),
    ...(labelled ? [term('label', labelled, undefined, 'the labels of the pull request are not known')] : []),
    ...(changed ? [term('path-change', changed, touches(changed), filesText ?? unknownFiles)] : []),
    ...(ignored ? [term('path-change-ignore', ignored, negated(touches(ignored)), filesText ?? unknownFiles)] : []),
  ]
}

const negated = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)
const unknownFiles = 'the changed files are not known'

/** `[main, release-*]`, or one value without brackets. A comma in a value is written as `&#44;`. */
function valuesIn(text: string): string[] {
  const [, inner = text] = /^\[(.*)\]$/s.exec(text) ?? []
  return inner
    .split(',')
    .map((value) =>
      value
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .replaceAll('&#44;', ','),
    )
    .filter(Boolean)
}

/** Branches may be written with or without `refs/heads/`, and as patterns. */
function isBranch(pattern: string, branch: string): boolean {
  const asRef = (text: string) => (/^refs\/(heads|tags)\//.test(text) ? text : `refs/heads/${text}`)
  return matchesGlob(asRef(pattern), asRef(branch))
}

/** A pattern of github.com/gobwas/glob without separators: `*` and `**` match slashes too. */
function matchesGlob(pattern: string, text: string): boolean {
  let depth = 0
  const source = pattern.replaceAll(/\\.|\*+|\[[!^]?[^\]]*\]|[{},?.+^$()|[\]\\]/gs, (part) => {
    if (part.startsWith('*')) return '.*'
    if (part === '?') return '.'
    if (part.length > 1 && part.startsWith('[')) return part.replace(/^\[!/, '[^')
    if (part === '{') return (depth++, '(?:')
    if (part === '}' && depth > 0) return (depth--, ')')
    if (part === ',' && depth > 0) return '|'
    return part.startsWith('\\') && part.length > 1 ? part : part === ',' ? ',' : `\\${part}`
  })
  if (depth > 0) throw new Error(`The pattern ${pattern} is not valid.`)
  return new RegExp(`^(?:${source})$`, 's').test(text)
}

const environment = new Environment({ unlistedVariablesAreDyn: true })
environment.registerFunction('string.pathChanged(): bool', () => {
  // It is evaluated with the changed files, see `truthOf`.
  throw new Error('pathChanged is called on a text that is not written out')
})

/** The conditions of an expression that `&&` joins. @throws Error for an expression that is not valid */
function celTerms(expression: string, event: GitEvent): TriggerTerm[] {
  const { ast } = environment.parse(expression)
  return joinedBy(ast, '&&').map((node) => ({
    text: textOf(node),
    isTrue: truthOf(node, event),
    because: factsOf(node, event),
  }))
}

/** What an operator joins, however many there are. */
const joinedBy = (node: ASTNode, operator: '&&' | '||'): ASTNode[] =>
  node.op === operator ? node.args.flatMap((part) => joinedBy(part, operator)) : [node]

/** As it is written, with spaces as usual. */
const textOf = (node: ASTNode): string => serialize(node)

function truthOf(node: ASTNode, event: GitEvent): Truth {
  if (node.op === '&&') return allOf(node.args.map((part) => truthOf(part, event)))
  if (node.op === '||') return anyOf(node.args.map((part) => truthOf(part, event)))
  if (node.op === '!_') return negated(truthOf(node.args, event))
  const pattern = changedPath(node)
  if (pattern !== undefined) return event.files?.some((file) => matchesGlob(pattern, file))
  if (unknownIn(node, event).length > 0) return undefined
  const result: unknown = environment.evaluate(textOf(node), variablesOf(event))
  if (typeof result !== 'boolean') throw new Error(`${textOf(node)} is neither true nor false`)
  return result
}

/** The pattern of `"pattern".pathChanged()`. */
function changedPath(node: ASTNode): string | undefined {
  if (node.op !== 'rcall' || node.args[0] !== 'pathChanged') return undefined
  const [, subject] = node.args
  return subject.op === 'value' && typeof subject.args === 'string' ? subject.args : undefined
}

function variablesOf({ event, targetBranch, sourceBranch, title, files }: GitEvent): Record<string, unknown> {
  return {
    event,
    event_type: event,
    target_branch: targetBranch,
    source_branch: sourceBranch,
    ...(title !== undefined && { event_title: title }),
    // How each file was changed is not known.
    ...(files && { files: { all: [...files] } }),
  }
}

/** What an expression depends on that is not known, such as `body`. */
function unknownIn(node: ASTNode, event: GitEvent): string[] {
  const known = variablesOf(event)
  const paths = node.op === '.' ? [node] : []
  const kindOfChange = paths.some(
    ({ args: [object, field] }) => object.op === 'id' && object.args === 'files' && field !== 'all',
  )
  const own = kindOfChange
    ? ['how files were changed']
    : node.op === 'id' && variableNames.has(node.args) && !(node.args in known)
      ? [node.args]
      : []
  return [...new Set([...own, ...(kindOfChange ? [] : operandsOf(node).flatMap((part) => unknownIn(part, event)))])]
}

/** Variables that Pipelines as Code sets. */
const variableNames = new Set([
  'event',
  'event_type',
  'event_title',
  'target_branch',
  'source_branch',
  'target_url',
  'source_url',
  'body',
  'headers',
  'files',
])

/** The values of what an expression refers to: `event is "push", target_branch is "main"`. */
function factsOf(node: ASTNode, event: GitEvent): string | undefined {
  const known = variablesOf(event)
  const unknown = unknownIn(node, event)
  const usesFiles =
    mentions(node, (part) => part.op === 'rcall' && part.args[0] === 'pathChanged') ||
    mentions(node, (part) => part.op === 'id' && part.args === 'files')
  const facts = Object.entries(known).flatMap(([name, value]) =>
    typeof value === 'string' && mentions(node, (part) => part.op === 'id' && part.args === name)
      ? [`${name} is ${JSON.stringify(value)}`]
      : [],
  )
  const files = usesFiles && !event.files ? [unknownFiles] : []
  const others = unknown.filter((name) => name !== 'files').map((name) => `${name} is not known`)
  const all = [...facts, ...files, ...others]
  return all.length > 0 ? all.join(', ') : undefined
}

const mentions = (node: ASTNode, test: (part: ASTNode) => boolean): boolean =>
  test(node) || operandsOf(node).some((part) => mentions(part, test))
