import { beforeAll, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace } from './api-fixtures'

/** Validation of Secrets, and errors that never repeat their values. */
export function secretsContract(target: () => Target): void {
  let api: Api
  let secrets: string
  beforeAll(async () => {
    api = apiOf(target())
    secrets = `${(await aNamespace(api)).path}/secrets`
  })
  const create = (content: object) =>
    api.post(`${secrets}?dryRun=All`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, ...content })
  const rejected = 'Secret "x" is invalid: '
  const redacted = 'Invalid value: "<secret contents redacted>": '

  it.each<[string, number]>([
    ['sentinel-abc!', 8],
    ['YQ', 0],
    ['YWJjYQ', 4],
    ['YQ=', 3],
    ['Y', 0],
    ['YQ=a', 2],
    ['YQ==a', 4],
    ['Y=Q=', 1],
    ['=', 0],
    ['ü', 0],
    ['YWI==', 4],
  ])('rejects the value %j, which is not valid base64, by its position', async (value, position) => {
    const { code, body } = await create({ data: { a: value } })
    const message = `Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte ${position}`
    expect([code, body.message]).toEqual([400, message])
  })

  it('removes line breaks from base64, and takes null for an empty value', async () => {
    const { code, body } = await create({ data: { a: 'YQ==\n', b: 'YWJj\r\nZA==', c: null } })
    expect([code, body.data]).toEqual([201, { a: 'YQ==', b: 'YWJjZA==', c: '' }])
  })

  it.each<[string, object, string]>([
    ['kubernetes.io/dockerconfigjson', {}, 'data[.dockerconfigjson]: Required value'],
    ['kubernetes.io/dockercfg', { other: 'x' }, 'data[.dockercfg]: Required value'],
    ['kubernetes.io/basic-auth', {}, '[data[username]: Required value, data[password]: Required value]'],
    ['kubernetes.io/ssh-auth', {}, 'data[ssh-privatekey]: Required value'],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, 'data[ssh-privatekey]: Required value'],
    ['kubernetes.io/tls', { 'tls.crt': '' }, 'data[tls.key]: Required value'],
    [
      'kubernetes.io/service-account-token',
      {},
      'metadata.annotations[kubernetes.io/service-account.name]: Required value',
    ],
    ['kubernetes.io/dockercfg', { '.dockercfg': '' }, `data[.dockercfg]: ${redacted}unexpected end of JSON input`],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': '{"auths":' },
      `data[.dockerconfigjson]: ${redacted}unexpected end of JSON input`,
    ],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': '["sentinel"]' },
      `data[.dockerconfigjson]: ${redacted}json: cannot unmarshal array into Go value of type map[string]interface {}`,
    ],
    ['Opaque', { '..': '' }, `data[..]: Invalid value: "..": must not be '..'`],
    ['Opaque', { '..a': '' }, `data[..a]: Invalid value: "..a": must not start with '..'`],
    [
      'Opaque',
      { 'a b': '' },
      `data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    ],
  ])('rejects the type %s with the values %j', async (type, stringData, message) => {
    const { code, body } = await create({ type, stringData })
    expect([code, body.reason, body.message]).toEqual([422, 'Invalid', rejected + message])
  })

  it.each<[string, string]>([
    ['', 'unexpected end of JSON input'],
    [' {"a":[1,{}', 'unexpected end of JSON input'],
    ['{"a":"b', 'unexpected end of JSON input'],
    ['{"a":"b\\', "invalid character ' ' in string escape code"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['{"a":1e', "invalid character ' ' in exponent of numeric literal"],
    ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape"],
    ['sentinel', "invalid character 's' looking for beginning of value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{a}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1]', "invalid character ']' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['{"a":"\n"}', "invalid character '\\n' in string literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['{"a":"\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"a":-x}', "invalid character 'x' in numeric literal"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"a":1e+}', "invalid character '}' in exponent of numeric literal"],
    ['{"a":trve}', "invalid character 'v' in literal true (expecting 'u')"],
    ['"', 'unexpected end of JSON input'],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['{}"', "invalid character '\"' after top-level value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ['"x\\""', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
    ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['5', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['true', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
  ])('rejects the registry credentials %j without repeating them', async (text, problem) => {
    for (const [type, key] of [
      ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
      ['kubernetes.io/dockercfg', '.dockercfg'],
    ] as const) {
      const { code, body } = await create({ type, stringData: { [key]: text } })
      expect([code, body.reason, body.message]).toEqual([
        422,
        'Invalid',
        `${rejected}data[${key}]: ${redacted}${problem}`,
      ])
    }
  })

  it.each<[string, Json]>([
    ['kubernetes.io/basic-auth', { username: '' }],
    ['kubernetes.io/basic-auth', { password: 'x' }],
    ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': 'x' }],
    ['kubernetes.io/dockercfg', { '.dockercfg': '{}' }],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': 'null' }],
    ['example.com/any', {}],
  ])('accepts the type %s with the values %j', async (type, stringData) => {
    expect((await create({ type, stringData })).code).toBe(201)
  })
}
