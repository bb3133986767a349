import { Composer, CST, isScalar, Lexer, LineCounter, Parser, visit } from 'yaml'
import { BodyLimitError, maxDepth, maxValues, TextCollector, tooDeep, tooManyValues } from '../body-limits.js'

/**
 * Parses YAML. Plain JavaScript without Node APIs: a worker thread runs this file as is, even from source.
 *
 * @typedef {object} YamlDocument
 * @property {string} json the document as JSON
 * @property {string[]} duplicates error texts for duplicate members
 */

/** A few lines of YAML can stand for gigabytes. */
const maxAliasCount = 100

/** Anchors and aliases: the parser searches all of them for each one. */
const maxReferences = 1_000

/** `key: value` has three. */
const maxLexemes = 3 * maxValues

/**
 * @param {string} text
 * @returns {YamlDocument}
 * @throws {Error} for text that is not YAML, or is nested too deeply
 */
export function readYaml(text) {
  const lines = new LineCounter()
  const tokens = tokensOf(text, lines)
  // The composer recurses and crashes the process if the stack runs out, so the depth is checked first.
  const composer = new Composer({ uniqueKeys: false, lineCounter: lines })
  const [document, ...others] = composer.compose(tokens, true, text.length)
  if (!document) return { json: 'null', duplicates: [] }
  const [error] = document.errors
  if (error) throw new Error(located(error, lines))
  if (others.length > 0) throw new Error('more than one document')
  const duplicates = new TextCollector()
  visit(document, {
    Map(_, map) {
      const seen = new Set()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0)
          duplicates.add(() => `  line ${line}: key ${JSON.stringify(key.value)} already set in map`)
        }
        seen.add(key.value)
      }
    },
  })
  const { texts } = duplicates
  return {
    json: JSON.stringify(document.toJS({ maxAliasCount })) ?? 'null',
    duplicates: texts.length > 0 ? [`yaml: unmarshal errors:\n${texts.join('\n')}`] : [],
  }
}

/**
 * Parses the syntax tree without recursion, up to the first error. Source: `yaml`, "CST Parser".
 * @param {string} text
 * @param {LineCounter} lines
 */
function tokensOf(text, lines) {
  const parser = new Parser(lines.addNewLine)
  /** @type {import('yaml').CST.Token[]} */
  const tokens = []
  /** @param {Iterable<import('yaml').CST.Token>} found */
  const append = (found) => {
    for (const token of found) {
      if (token.type === 'error') throw new Error(located({ message: token.message, pos: [token.offset, 0] }, lines))
      tokens.push(token)
    }
    // A document does not count as a level.
    if (parser.stack.length > maxDepth + 1) throw tooDeep()
  }
  let lexemes = 0
  let references = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme)
    if (type !== 'space' && type !== 'newline' && type !== 'comment' && ++lexemes > maxLexemes) throw tooManyValues()
    if ((type === 'anchor' || type === 'alias') && ++references > maxReferences) {
      throw new BodyLimitError(`exceeded max number of ${maxReferences} anchors and aliases`)
    }
    append(parser.next(lexeme))
  }
  append(parser.end())
  return tokens
}

/**
 * @param {{ message: string, pos: [number, number] }} error
 * @param {LineCounter} lines
 */
const located = ({ message, pos }, lines) => `line ${lines.linePos(pos[0]).line}: ${message}`
