import { expect, test } from 'vitest'
import { compileSchema } from './structural-schema'

const schemaWith = (rule: string) => ({
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule, message: 'the rule' }] },
  },
})
const list = (length: number) => ({ list: Array.from({ length }, (_, i) => i) })
const stopped =
  'Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: the rule'

test.each([
  'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))',
  'self.exists(a, self.exists(b, self.exists(c, a + b + c < 0))) || true',
  'self.map(a, self.map(b, self.map(c, a))).size() > 0',
  'self.filter(a, self.filter(b, self.filter(c, true).size() > 0).size() > 0).size() > 0',
  'self.all(a, self.all(b, self == self))',
])('a rule that exceeds the cost limit is stopped: %s', (rule) => {
  expect(compileSchema(schemaWith(rule)).validate(list(600))).toMatchObject([{ field: 'list', message: stopped }])
})

test('every object starts with the full budget', () => {
  const schema = compileSchema(schemaWith('self.all(a, self.all(b, a + b >= 0))'))
  for (let round = 0; round < 5; round++) expect(schema.validate(list(300))).toEqual([])
})

test('all rules of an object share its budget', () => {
  const rule = 'self.all(a, self.all(b, a + b >= 0))'
  const lists = { type: 'array', items: schemaWith(rule).properties.list }
  const schema = compileSchema({ type: 'object', properties: { lists } })
  const causes = schema.validate({ lists: Array(20).fill(list(300).list) })
  expect(causes).toHaveLength(1)
  expect(causes[0]?.message).toBe(
    'Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
  )
})
