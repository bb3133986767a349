/** Bodies within the size limit that would cost a naive server far more than their length suggests. */

export interface HostileBody {
  name: string
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Collection or object, relative to `/api/v1/namespaces/fuzz` unless it starts with `/apis`. */
  path: string
  type: string
  body: string | Uint8Array<ArrayBuffer>
}

const json = 'application/json'
const yaml = 'application/yaml'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const patch = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'

/** Length of a body in characters: slightly below the limit of 3 MiB. */
const size = 3_000_000

const fill = (unit: string | ((index: number) => string), separator = ',', most = Infinity): string => {
  const parts: string[] = []
  for (let length = 0, index = 0; index < most; index++) {
    const part = typeof unit === 'string' ? unit : unit(index)
    length += part.length + separator.length
    if (length > size - 1_000) break
    parts.push(part)
  }
  return parts.join(separator)
}

const map = (rest: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hostile"}${rest}}`
const withMetadata = (rest: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hostile",${rest}}}`
const widget = (spec: string, metadata = '') =>
  `{"apiVersion":"fuzz.test/v1","kind":"Widget","metadata":{"name":"hostile"${metadata}},"spec":${spec}}`
const widgets = '/apis/fuzz.test/v1/namespaces/fuzz/widgets'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const definition = (properties: string, more = '') =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"odds.odd.test"},"spec":{` +
  `"group":"odd.test","names":{"plural":"odds","kind":"Odd"},"scope":"Namespaced","versions":[{"name":"v1","served":true,` +
  `"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":${properties}${more}}}}]}}`

const owner = (index: number, more = '') =>
  `{"apiVersion":"v1","kind":"ConfigMap","name":"o${index}","uid":"u${index}"${more}}`

const post = (name: string, body: string, path = '/configmaps', type = json): HostileBody => ({
  name,
  method: 'POST',
  path,
  type,
  body,
})
const change = (name: string, type: string, body: string, path = '/configmaps/kept'): HostileBody => ({
  name,
  method: 'PATCH',
  path: type === apply ? `${path}?fieldManager=fuzz` : path,
  type,
  body,
})

export const hostileBodies = (): HostileBody[] => [
  post('60,000 unknown fields', map(',' + fill((i) => `"u${i}":1`, ',', 60_000))),
  post('unknown fields with long names', map(',' + fill((i) => `"${'n'.repeat(1_000)}${i}":1`))),
  post(
    'unknown fields below a long name',
    widget(`{"${'n'.repeat(500_000)}":{${fill((i) => `"u${i}":1`, ',', 60_000)}}}`),
    widgets,
  ),
  post('an unknown field of blanks', map(`,"${' '.repeat(size)}":1`)),
  post('an unknown field of escapes', map(`,"${'\\"'.repeat(size / 2 - 500)}":1`)),
  post('unknown fields in metadata', withMetadata(fill((i) => `"u${i}":1`, ',', 23_500))),
  post('duplicate fields', map(',' + fill('"u":1', ',', 23_500))),
  post('duplicate fields below a long name', map(`,"${'n'.repeat(1_000_000)}":{${fill('"u":1', ',', 23_500)}}`)),
  post('deep lists', '['.repeat(size)),
  post('deep objects', '{"a":'.repeat(size / 5)),
  post('deep lists that end', '['.repeat(size / 2) + ']'.repeat(size / 2)),
  post('deep objects as far as they are read', widget('{"a":'.repeat(240) + '1' + '}'.repeat(240)), widgets),
  post('many empty lists', `[${fill('[]')}]`),
  post('many numbers', widget(`{"free":[${fill('1')}]}`), widgets),
  post('many members', widget(`{"free":{${fill((i) => `"${i}":0`, ',', 23_500)}}}`), widgets),
  post('many items', widget(`{"free":[${fill('{"a":1}', ',', 11_500)}]}`), widgets),
  post('a set', widget(`{"set":[${fill((i) => `"${i}"`, ',', 23_500)}]}`), widgets),
  post('a set of the same', widget(`{"set":[${fill('"a"', ',', 23_500)}]}`), widgets),
  post('a list of keys', widget(`{"items":[${fill((i) => `{"name":"${i}"}`, ',', 11_500)}]}`), widgets),
  post('values that are not in the enumeration', widget(`{"enums":[${fill('"x"', ',', 23_500)}]}`), widgets),
  post('a text for a pattern', widget(`{"pattern":"${'a'.repeat(1_000_000)}!"}`), widgets),
  post(
    'texts for a pattern',
    widget(`{"patterns":[${fill((i) => `"${'a'.repeat(30)}${i}!"`, ',', 40_000)}]}`),
    widgets,
  ),
  post('lists of one rule', widget(`{"cubed":[${fill((i) => `${i}`, ',', 600)}]}`), widgets),
  post('a rule for each of many', widget(`{"ruled":[${fill((i) => `${i}`, ',', 23_500)}]}`), widgets),
  post(
    'a rule on a long text',
    widget(`{"text":"${'a'.repeat(1_000_000)}","times":[${fill('1', ',', 2_000)}]}`),
    widgets,
  ),
  post('labels', withMetadata(`"labels":{${fill((i) => `"l${i}":"v"`, ',', 23_500)}}`)),
  post('invalid labels', withMetadata(`"labels":{${fill((i) => `"!${i}":"!"`, ',', 23_500)}}`)),
  post('labels of long values', withMetadata(`"labels":{${fill((i) => `"!${i}":"${'-'.repeat(100)}"`)}}`)),
  post('a label of a very long key', withMetadata(`"labels":{"${'a-'.repeat(size / 2 - 500)}":"v"}`)),
  post('annotations', withMetadata(`"annotations":{${fill((i) => `"a${i}":"v"`, ',', 23_500)}}`)),
  post('invalid annotations', withMetadata(`"annotations":{${fill((i) => `"!${i}":"v"`, ',', 23_500)}}`)),
  post('finalizers', withMetadata(`"finalizers":[${fill((i) => `"f${i}"`, ',', 23_500)}]`)),
  post('finalizers of a custom kind', widget('{}', `,"finalizers":[${fill((i) => `"f${i}"`, ',', 23_500)}]`), widgets),
  post('owners', withMetadata(`"ownerReferences":[${fill((i) => owner(i), ',', 4_500)}]`)),
  post(
    'owners that are all controllers',
    withMetadata(`"ownerReferences":[${fill((i) => owner(i, ',"controller":true'), ',', 4_500)}]`),
  ),
  post('owners without anything', withMetadata(`"ownerReferences":[${fill('{}', ',', 23_500)}]`)),
  post(
    'managed fields',
    withMetadata(
      `"managedFields":[${fill((i) => `{"manager":"m${i}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k${i}":{}}}}`, ',', 12_000)}]`,
    ),
  ),
  post(
    'managed fields of many fields',
    withMetadata(
      `"managedFields":[${[1, 2, 3].map((m) => `{"manager":"m${m}","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${fill((i) => `"f:${m}-${i}":{}`, ',', 12_000)}}}}`).join(',')}]`,
    ),
  ),
  post(
    'deep managed fields',
    withMetadata(
      `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(230)}{}${'}'.repeat(230)}}]`,
    ),
  ),
  post('data of many keys', map(`,"data":{${fill((i) => `"${i}":""`, ',', 23_500)}}`)),
  post('data of a wrong type', map(`,"data":{${fill((i) => `"${i}":1`, ',', 23_500)}}`)),
  post('a long number', map(`,"data":${'1'.repeat(size)}`)),
  post('quotes', '"'.repeat(500_000)),
  post('the name that is not allowed', map(`,"data":{${fill('"__proto__x":""', ',', 23_500)}}`)),
  post('YAML: dashes', '- '.repeat(2_000), '/configmaps', yaml),
  post('YAML: questions', '? '.repeat(2_000), '/configmaps', yaml),
  post('YAML: 500,000 quotes', '"'.repeat(500_000), '/configmaps', yaml),
  post('YAML: quotes to the limit', '"'.repeat(size), '/configmaps', yaml),
  post('YAML: brackets', '['.repeat(size), '/configmaps', yaml),
  post('YAML: lists', `[${fill('1')}]`, '/configmaps', yaml),
  post(
    'YAML: lines',
    fill((i) => `k${i}: v`, '\n'),
    '/configmaps',
    yaml,
  ),
  post('YAML: the same key', fill('k: v', '\n', 23_500), '/configmaps', yaml),
  post(
    'YAML: anchors',
    fill((i) => `- &a${i} x\n- *a${i}`, '\n', 40_000),
    '/configmaps',
    yaml,
  ),
  post(
    'YAML: copies of copies',
    'a0: &a0 [x,x,x,x,x,x,x,x]\n' +
      Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(8).fill(`*a${i}`).join(',')}]\n`).join(''),
    '/configmaps',
    yaml,
  ),
  post(
    'YAML: unknown fields',
    `kind: ConfigMap\nmetadata: {name: hostile}\n${fill((i) => `u${i}: 1`, '\n', 30_000)}`,
    '/configmaps',
    yaml,
  ),
  post(
    'YAML: a text',
    `kind: ConfigMap\nmetadata: {name: hostile}\ndata:\n  a: |\n${fill('    line', '\n', 100_000)}`,
    '/configmaps',
    yaml,
  ),
  change('merge patch: unknown fields', merge, `{${fill((i) => `"u${i}":1`, ',', 23_500)}}`),
  change('merge patch: nulls', merge, `{"data":{${fill((i) => `"u${i}":null`, ',', 23_500)}}}`),
  change(
    'strategic merge patch: owners',
    strategic,
    `{"metadata":{"ownerReferences":[${fill((i) => owner(i), ',', 4_500)}]}}`,
  ),
  change(
    'strategic merge patch: finalizers',
    strategic,
    `{"metadata":{"finalizers":[${fill((i) => `"f.test/${i}"`, ',', 11_500)}]}}`,
  ),
  change(
    'strategic merge patch: deleted finalizers',
    strategic,
    `{"metadata":{"finalizers":[${fill((i) => `"f.test/${i}"`, ',', 11_500)}],"$deleteFromPrimitiveList/finalizers":[${fill((i) => `"f.test/${i}"`, ',', 11_500)}]}}`,
  ),
  change(
    'strategic merge patch: env',
    strategic,
    `{"spec":{"containers":[{"name":"main","env":[${fill((i) => `{"name":"${i}"}`, ',', 11_500)}]}]}}`,
    '/pods/kept',
  ),
  change(
    'strategic merge patch: items to delete',
    strategic,
    `{"spec":{"containers":[{"name":"main","env":[${fill((i) => `{"$patch":"delete","name":"${i}"}`, ',', 30_000)}]}]}}`,
    '/pods/kept',
  ),
  change('strategic merge patch: deep', strategic, '{"a":'.repeat(240) + '1' + '}'.repeat(240)),
  change(
    'JSON patch: copies',
    patch,
    `[{"op":"add","path":"/data/a","value":"${'x'.repeat(100_000)}"},${fill((i) => `{"op":"copy","from":"/data","path":"/data/c${i}"}`, ',', 9_000)}]`,
  ),
  change(
    'JSON patch: inserts at the front',
    patch,
    `[{"op":"add","path":"/metadata/finalizers","value":[${fill((i) => `"${i}"`, ',', 60_000)}]},${fill('{"op":"add","path":"/metadata/finalizers/0","value":"x"}', ',', 9_000)}]`,
  ),
  change(
    'JSON patch: removals from the front',
    patch,
    `[{"op":"add","path":"/metadata/finalizers","value":[${fill((i) => `"${i}"`, ',', 60_000)}]},${fill('{"op":"remove","path":"/metadata/finalizers/0"}', ',', 9_000)}]`,
  ),
  change(
    'JSON patch: tests',
    patch,
    `[{"op":"add","path":"/data","value":{${fill((i) => `"${i}":""`, ',', 20_000)}}},${fill('{"op":"test","path":"/data","value":{}}', ',', 9_000)}]`,
  ),
  change(
    'JSON patch: tests of the same',
    patch,
    `[${fill('{"op":"test","path":"/data/big","value":"x"}', ',', 9_000)}]`,
  ),
  change('JSON patch: moves', patch, `[${fill('{"op":"move","from":"/data","path":"/data"}', ',', 9_000)}]`),
  change('JSON patch: unknown members', patch, `[{${fill((i) => `"u${i}":1`, ',', 23_500)}}]`),
  change(
    'JSON patch: long pointers',
    patch,
    `[${fill(`{"op":"test","path":"${'/a'.repeat(10_000)}","value":1}`, ',', 9_000)}]`,
  ),
  change('JSON patch: escaped pointers', patch, `[{"op":"test","path":"/${'~1'.repeat(1_400_000)}","value":1}]`),
  change(
    'apply: many keys',
    apply,
    map(`,"data":{${fill((i) => `"${i}":""`, ',', 23_500)}}`).replace('hostile', 'kept'),
  ),
  change(
    'apply: the same items',
    apply,
    widget(`{"items":[${fill('{"name":"a"}', ',', 11_500)}]}`).replace('hostile', 'kept'),
    `${widgets}/kept`,
  ),
  change('apply: dashes', apply, '- '.repeat(2_000)),
  change(
    'apply: conflicts',
    apply,
    map(`,"data":{${fill((i) => `"k${i}":"other"`, ',', 20_000)}}`).replace('hostile', 'kept'),
  ),
  post(
    'definition: deep schema',
    definition('{"a":{"type":"object","properties":'.repeat(80) + '{}' + '}}'.repeat(80)),
    definitions,
  ),
  post(
    'definition: many properties',
    definition(`{${fill((i) => `"p${i}":{"type":"string"}`, ',', 11_500)}}`),
    definitions,
  ),
  post('definition: many wrong properties', definition(`{${fill((i) => `"p${i}":{}`, ',', 11_500)}}`), definitions),
  post(
    'definition: many rules',
    definition(`{"a":{"type":"string","x-kubernetes-validations":[${fill('{"rule":"self==self"}', ',', 11_500)}]}}`),
    definitions,
  ),
  post(
    'definition: a long rule',
    definition(`{"a":{"type":"string","x-kubernetes-validations":[{"rule":"${'self=='.repeat(200_000)}self"}]}}`),
    definitions,
  ),
  post(
    'definition: a rule of parentheses',
    definition(`{"a":{"type":"string","x-kubernetes-validations":[{"rule":"${'('.repeat(size / 2)}"}]}}`),
    definitions,
  ),
  post(
    'definition: a rule with many matches',
    definition(
      `{"a":{"type":"string","x-kubernetes-validations":[{"rule":"${'self.matches(self)&&'.repeat(3_000)}true"}]}}`,
    ),
    definitions,
  ),
  post(
    'definition: many patterns',
    definition(`{${fill((i) => `"p${i}":{"type":"string","pattern":"^(a|b|c){1,50}$"}`, ',', 2_500)}}`),
    definitions,
  ),
  post(
    'definition: a pattern of repeats',
    definition(`{"a":{"type":"string","pattern":"((a{1,10}){1,10}){1,10}"}}`),
    definitions,
  ),
  post(
    'definition: a long pattern',
    definition(`{"a":{"type":"string","pattern":"${'(a|b)*'.repeat(8_000)}"}}`),
    definitions,
  ),
  post(
    'definition: defaults of defaults',
    definition('{"a":{"type":"object","default":{},"properties":'.repeat(60) + '{}' + '}}'.repeat(60)),
    definitions,
  ),
  post(
    'definition: versions',
    definition('{}').replace(
      '"versions":[',
      `"versions":[${fill((i) => `{"name":"v${i + 2}","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}}`, ',', 8_000)},`,
    ),
    definitions,
  ),
  post(
    'definition: columns',
    definition('{}').replace(
      '"storage":true',
      `"storage":true,"additionalPrinterColumns":[${fill('{}', ',', 23_500)}]`,
    ),
    definitions,
  ),
  post(
    'definition: alternatives',
    definition(`{"a":{"type":"string","anyOf":[${fill('{"minLength":1}', ',', 11_500)}]}}`),
    definitions,
  ),
  post(
    'review: unknown fields',
    `{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1",${fill((i) => `"u${i}":1`, ',', 60_000)}}`,
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  ),
  post(
    'roles of many rules',
    `{"metadata":{"name":"hostile"},"rules":[${fill((i) => `{"apiGroups":[""],"resources":["r${i}"],"verbs":["get"]}`, ',', 5_000)}]}`,
    '/apis/rbac.authorization.k8s.io/v1/namespaces/fuzz/roles',
  ),
  {
    name: 'a deletion with many options',
    method: 'DELETE',
    path: '/configmaps/none',
    type: json,
    body: `{"dryRun":[${fill('"x"', ',', 23_500)}]}`,
  },
  {
    name: 'protobuf: many finalizers',
    method: 'POST',
    path: '/configmaps',
    type: 'application/vnd.kubernetes.protobuf',
    body: manyFinalizers(),
  },
]

/** A ConfigMap whose metadata has a million empty finalizers, two bytes each. */
function manyFinalizers(): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder()
  const field = (number: number, bytes: Uint8Array): number[] | Uint8Array => {
    const head = [(number << 3) | 2]
    let length = bytes.length
    while (length > 0x7f) {
      head.push((length & 0x7f) | 0x80)
      length = Math.floor(length / 128)
    }
    head.push(length)
    const whole = new Uint8Array(head.length + bytes.length)
    whole.set(head)
    whole.set(bytes, head.length)
    return whole
  }
  const joined = (...parts: (number[] | Uint8Array)[]): Uint8Array => {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }
  const finalizers = new Uint8Array(2 * 1_000_000)
  for (let at = 0; at < finalizers.length; at += 2) finalizers[at] = (14 << 3) | 2
  const object = field(1, joined(field(1, text.encode('hostile')), finalizers) as Uint8Array)
  const type = joined(field(1, text.encode('v1')), field(2, text.encode('ConfigMap')))
  const body = joined([0x6b, 0x38, 0x73, 0], field(1, type), field(2, object as Uint8Array))
  return new Uint8Array(body)
}

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more })
const integers = (...rules: string[]) =>
  listOf({ type: 'integer' }, { 'x-kubernetes-validations': rules.map((rule) => ({ rule })) })

const hostileSpec = {
  type: 'object',
  properties: {
    free,
    set: listOf({ type: 'string' }, { 'x-kubernetes-list-type': 'set' }),
    items: listOf(
      { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    enums: listOf({ type: 'string', enum: ['a', 'b'] }),
    pattern: { type: 'string', pattern: '^(a|aa)+$' },
    patterns: listOf({ type: 'string', pattern: '^(a|aa)+$' }),
    cubed: integers('self.all(a, self.all(b, self.all(c, a + b + c >= 0)))'),
    ruled: listOf({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0' }] }),
    text: { type: 'string' },
    times: listOf({ type: 'integer' }),
  },
  'x-kubernetes-validations': [
    { rule: "!has(self.times) || self.times.all(t, self.text.matches('(a|aa)+$') || true)" },
  ],
}

/** A kind whose schema and rules require work for every part of an object. */
export const hostileKind = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.fuzz.test' },
  spec: {
    group: 'fuzz.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: hostileSpec } } },
      },
    ],
  },
}
