import { describe, expect, it } from 'vitest'
import { parsePastedCredentials } from './pasted-credentials'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const hub = 'https://index.docker.io/v1/'
const robot = { registry: 'quay.io', username: 'org+robot', password: 'T0K/EN==', email: '' }

describe('credentials in a pasted command', () => {
  it.each([
    ['docker login -u="org+robot" -p="T0K/EN==" quay.io', robot],
    ["podman login -u='org+robot' -p='T0K/EN==' quay.io", robot],
    ['docker login quay.io --username org+robot --password T0K/EN==', robot],
    ['helm registry login quay.io -u org+robot -p T0K/EN== --insecure', robot],
    ['$ sudo /usr/bin/docker login \\\n  --username=org+robot \\\n  --password=T0K/EN== \\\n  quay.io\n', robot],
    ['podman login --authfile ~/auth.json --tls-verify=false -u org+robot -p T0K/EN== quay.io', robot],
    ['echo "T0K/EN==" | docker login -u org+robot --password-stdin quay.io', robot],
    ['docker login -u org+robot -p T0K/EN== quay.io && docker push quay.io/org/image', robot],
    ['oras login -u org+robot -p T0K/EN== quay.io', robot],
    ['docker login -u ann -p s3cret', { registry: hub, username: 'ann', password: 's3cret', email: '' }],
    [
      `docker login -u ann -p "pa ss\\"w'\\$rd" -e ann@example.com registry.example.com:5000/team`,
      {
        registry: 'registry.example.com:5000/team',
        username: 'ann',
        password: `pa ss"w'$rd`,
        email: 'ann@example.com',
      },
    ],
    [
      `docker login -u '$oauthtoken' -p 'nv\\api' nvcr.io`,
      { registry: 'nvcr.io', username: '$oauthtoken', password: 'nv\\api', email: '' },
    ],
  ])('%s', (text, expected) => expect(parsePastedCredentials(text)).toEqual([expected]))
})

describe('credentials in a pasted file', () => {
  const entry = { auth: base64('org+robot:T0K/EN==') }
  const config = JSON.stringify({ auths: { 'quay.io': entry } }, null, 2)
  const secret = (line: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: org-robot-pull-secret\ndata:\n  ${line}\ntype: kubernetes.io/dockerconfigjson\n`
  it.each([
    ['config.json', config],
    ['config.json with other settings', JSON.stringify({ auths: { 'quay.io': entry }, credsStore: '' })],
    ['.dockercfg', JSON.stringify({ 'quay.io': entry })],
    ['config.json with a username and a password', JSON.stringify({ auths: { 'quay.io': robot } })],
    ['the YAML of a Secret', secret(`.dockerconfigjson: ${base64(config)}`)],
    ['the YAML of a Secret with quotes', secret(`".dockerconfigjson": "${base64(config)}"`)],
    ['the YAML of a Secret with a block', secret(`.dockerconfigjson: >-\n    ${base64(config)}`)],
    ['the YAML of an older Secret', secret(`.dockercfg: ${base64(JSON.stringify({ 'quay.io': entry }))}`)],
    ['the JSON of a Secret', JSON.stringify({ kind: 'Secret', data: { '.dockerconfigjson': base64(config) } })],
    ['the JSON of a Secret with text', JSON.stringify({ kind: 'Secret', stringData: { '.dockerconfigjson': config } })],
  ])('%s', (_, text) => expect(parsePastedCredentials(text)).toEqual([robot]))

  it('of several registries, with umlauts and colons in passwords', () => {
    const auths = {
      'quay.io': { auth: base64('jörg:a:b'), email: 'j@example.com' },
      'ghcr.io': { auth: base64('bot:ß') },
    }
    expect(parsePastedCredentials(JSON.stringify({ auths }))).toEqual([
      { registry: 'quay.io', username: 'jörg', password: 'a:b', email: 'j@example.com' },
      { registry: 'ghcr.io', username: 'bot', password: 'ß', email: '' },
    ])
  })
})

describe('other text has no credentials', () => {
  it.each([
    '',
    'quay.io',
    'login',
    'my password is login -u x -p y',
    'docker pull quay.io/org/image',
    'docker login quay.io',
    'docker login -u ann quay.io',
    'cat token.txt | docker login -u ann --password-stdin quay.io',
    'echo $TOKEN | docker login -u ann --password-stdin quay.io',
    'docker login -u "ann -p x quay.io',
    '{"auths":{}}',
    '{"auths":{"quay.io":{}}}',
    '{"name":"x"}',
    '[1]',
    '.dockerconfigjson: !!!',
    'x'.repeat(1_048_577),
  ])('%.60j', (text) => expect(parsePastedCredentials(text)).toEqual([]))
})
