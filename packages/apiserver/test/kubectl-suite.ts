import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@slipway/kube/object'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { selfSignedCertificate } from '../src/certificate'
import { aPod, configMap, widget, widgetDefinition } from './api-fixtures'

/** The server that kubectl is tested against, with operations that tests need besides kubectl. */
export interface KubectlServer {
  /** An HTTPS URL. */
  url: string
  /** The certificate to trust, in PEM. */
  ca: string
  /** Token of a cluster administrator. */
  token: string
  /** Sends a request as the administrator; the body is a merge patch for PATCH, otherwise text. */
  send(method: string, path: string, body?: string): Promise<Response>
  /** How many watches of objects in a namespace have been opened. */
  watchesOf(namespace: string): Promise<number>
}

/** The output of `kubectl version`; empty if it cannot be run. */
function versionOf(kubectl: string): string {
  const { status, stdout } = spawnSync(kubectl, ['version', '--client', '-o', 'json'])
  return status === 0 ? String(stdout) : ''
}

interface Run {
  code: number
  out: string
  err: string
}

/**
 * Runs real kubectl processes against a server. The expected output was recorded with 1.20, 1.32 and 1.35 and holds for
 * all of them: ages and uids are omitted, and where the wording differs, only the common part is expected.
 * @param open called once, before the first test
 * @param isEmbedded the server accepts container logs, as only the embedded one does
 */
export function kubectlSuite(
  kubectl: string,
  open: () => Promise<KubectlServer>,
  { isEmbedded }: { isEmbedded: boolean },
): void {
  const minor = Number(/"minor": "(\d+)/.exec(versionOf(kubectl))?.[1])
  const namespaces: string[] = []
  let server: KubectlServer
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'apiserver-kubectl-'))
    server = await open()
    const ca = Buffer.from(server.ca).toString('base64')
    file('config', {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: server.url, 'certificate-authority-data': ca } }],
      users: [{ name: 'u', user: { token: server.token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    })
    await run('create', '-f', file('crd.json', widgetDefinition))
    await run('wait', '--for=condition=Established', `crd/${widgetDefinition.metadata.name}`)
  })
  afterAll(async () => {
    await run('delete', '--ignore-not-found', 'namespace', ...namespaces)
    await run('delete', '-f', join(folder, 'crd.json'))
    rmSync(folder, { recursive: true })
  })

  function file(name: string, object: object): string {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(object))
    return path
  }

  /** Runs with a separate home directory, so that caches are not shared with another kubectl. */
  const environment = () => ({ PATH: process.env['PATH'], HOME: folder, KUBECONFIG: join(folder, 'config') })

  function run(...args: string[]): Promise<Run> {
    const env = environment()
    return new Promise((resolve) =>
      execFile(kubectl, args, { env }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
      ),
    )
  }

  /** Returns the first lines of output, then ends the process. */
  function linesOf(count: number, ...args: string[]): Promise<string[]> {
    const child = spawn(kubectl, args, { env: environment() })
    let out = ''
    return new Promise((resolve) => {
      child.stdout.on('data', (text: Buffer) => {
        out += text.toString()
        if (out.split('\n').length > count) child.kill()
      })
      child.on('close', () => resolve(out.trimEnd().split('\n')))
    })
  }

  /** Returns the output of a successful run. */
  async function ok(...args: string[]): Promise<string> {
    const { code, out, err } = await run(...args)
    expect([code, err]).toEqual([0, ''])
    return out
  }

  async function namespace(name: string): Promise<(...args: string[]) => Promise<string>> {
    namespaces.push(name)
    expect(await ok('create', 'namespace', name)).toBe(`namespace/${name} created\n`)
    return (...args) => ok(...args, '-n', name)
  }

  /** Rows of a table without the age, the last column. */
  const rows = (out: string): string[] =>
    out
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .trim()
          .split(/\s{2,}|\s+(?=\S+$)/)
          .slice(0, -1)
          .join(' '),
      )

  it('prints the version and the kinds', async () => {
    // A kubectl whose version is far from the server's prints a warning.
    expect((await run('version')).out).toMatch(/Server Version: /)
    const versions = (await ok('api-versions')).trim().split('\n')
    expect(versions).toEqual(
      expect.arrayContaining(['apiextensions.k8s.io/v1', 'contract.test/v1', 'rbac.authorization.k8s.io/v1', 'v1']),
    )
    const resources = (await ok('api-resources', '--no-headers')).split('\n').map((line) => line.split(/\s+/))
    expect(resources).toContainEqual(['widgets', 'wd', 'contract.test/v1', 'true', 'Widget'])
    expect(resources).toContainEqual(['configmaps', 'cm', 'v1', 'true', 'ConfigMap'])
    expect(await ok('api-resources', '--api-group=contract.test', '-o', 'name')).toBe('widgets.contract.test\n')
  })

  it('gets objects in every output format', async () => {
    const inHere = await namespace('forms')
    expect(await inHere('create', '-f', file('one.json', widget('one', { size: 3 })))).toBe(
      'widget.contract.test/one created\n',
    )
    expect(await inHere('create', 'configmap', 'settings', '--from-literal=a=1')).toBe('configmap/settings created\n')
    expect(await inHere('get', 'wd')).toBe('NAME   SIZE\none    3\n')
    expect(await inHere('get', 'wd', '-o', 'wide')).toBe('NAME   SIZE\none    3\n')
    expect(rows(await inHere('get', 'configmaps', 'settings'))).toEqual(['NAME DATA', 'settings 1'])
    expect(await inHere('get', 'wd', 'one', '-o', 'name')).toBe('widget.contract.test/one\n')
    expect(await inHere('get', 'wd', '-o', 'jsonpath={.items[*].spec.color}')).toBe('grey')
    expect(await inHere('get', 'cm', 'settings', '-o', 'yaml')).toMatch(
      /^apiVersion: v1\ndata:\n {2}a: "1"\nkind: ConfigMap\nmetadata:\n/,
    )
    expect(await inHere('get', 'wd', '-o', 'custom-columns=N:.metadata.name,C:.spec.color')).toBe(
      'N     C\none   grey\n',
    )
    const nothing = await run('get', 'wd', '-n', 'forms', '-l', 'none=here')
    expect(nothing).toEqual({ code: 0, out: '', err: 'No resources found in forms namespace.\n' })
  })

  it('prints the usual tables', async () => {
    const inHere = await namespace('tables')
    // Columns are aligned; ages and creation times are omitted.
    const wide = async (kind: string, ...more: string[]) =>
      (await inHere('get', kind, '-o', 'wide', ...more))
        .trimEnd()
        .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:]+Z\b/g, 'TIME')
        .split('\n')
        .map((line) =>
          line
            .trim()
            .replaceAll(/ {2,}/g, ' | ')
            .replaceAll(/\| \d+s\b/g, '| AGE'),
        )
    await inHere('create', '-f', file('table-pod.json', aPod('p', ['a', 'b'])))
    expect(await wide('pods')).toEqual([
      'NAME | READY | STATUS | RESTARTS | AGE | IP | NODE | NOMINATED NODE | READINESS GATES',
      'p | 0/2 | Pending | 0 | AGE | <none> | <none> | <none> | <none>',
    ])
    await inHere('create', 'secret', 'generic', 's', '--from-literal=a=1')
    expect(await wide('secrets', 's')).toEqual(['NAME | TYPE | DATA | AGE', 's | Opaque | 1 | AGE'])
    await inHere('create', 'serviceaccount', 'robot')
    expect(await wide('serviceaccounts', 'robot')).toEqual(['NAME | AGE', 'robot | AGE'])
    expect(await wide('namespaces', 'tables')).toEqual(['NAME | STATUS | AGE', 'tables | Active | AGE'])
    await inHere('create', 'role', 'reader', '--verb=get', '--resource=pods')
    expect(await wide('roles')).toEqual(['NAME | CREATED AT', 'reader | TIME'])
    expect(await wide('crd', 'widgets.contract.test')).toEqual(['NAME | CREATED AT', 'widgets.contract.test | TIME'])
    await inHere(
      'create',
      'rolebinding',
      'r',
      '--role=reader',
      '--user=ann',
      '--group=g',
      '--serviceaccount=tables:robot',
    )
    expect(await wide('rolebindings')).toEqual([
      'NAME | ROLE | AGE | USERS | GROUPS | SERVICEACCOUNTS',
      'r | Role/reader | AGE | ann | g | tables/robot',
    ])
    const kept = (apiVersion: string, kind: string, spec: object) => ({
      apiVersion,
      kind,
      metadata: { name: 'k' },
      spec,
    })
    await inHere('create', '-f', file('lease.json', kept('coordination.k8s.io/v1', 'Lease', { holderIdentity: 'me' })))
    expect(await wide('leases')).toEqual(['NAME | HOLDER | AGE', 'k | me | AGE'])
    const spec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'std',
    }
    await inHere('create', '-f', file('claim.json', kept('v1', 'PersistentVolumeClaim', spec)))
    expect(await wide('pvc')).toEqual([
      'NAME | STATUS | VOLUME | CAPACITY | ACCESS MODES | STORAGECLASS | VOLUMEATTRIBUTESCLASS | AGE | VOLUMEMODE',
      'k | Pending | std | <unset> | AGE | Filesystem',
    ])
  })

  it('prints watch events as they happen', async () => {
    const inHere = await namespace('watched')
    await inHere('create', '-f', file('before.json', widget('before')))
    const watching = ['get', 'wd', '-n', 'watched', '-w', '--output-watch-events']
    const watch = spawn(kubectl, watching, { env: environment() })
    let out = ''
    watch.stdout.on('data', (chunk) => (out += String(chunk)))
    const lines = () =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' '))
    await expect.poll(lines).toEqual(['EVENT NAME SIZE', 'ADDED before 1'])
    await inHere('create', '-f', file('after.json', widget('after', { size: 2 })))
    await inHere('patch', 'wd', 'after', '--type=merge', '-p', '{"spec":{"size":3}}')
    await inHere('delete', 'wd', 'before')
    await expect
      .poll(lines)
      .toEqual(['EVENT NAME SIZE', 'ADDED before 1', 'ADDED after 2', 'MODIFIED after 3', 'DELETED before 1'])
    watch.kill()
    await once(watch, 'exit')
  })

  it('fails with the error message of the server', async () => {
    expect(await run('get', 'wd', 'none')).toEqual({
      code: 1,
      out: '',
      err: 'Error from server (NotFound): widgets.contract.test "none" not found\n',
    })
    expect(await run('create', 'namespace', 'default')).toEqual({
      code: 1,
      out: '',
      err: 'Error from server (AlreadyExists): namespaces "default" already exists\n',
    })
    const missing = await run('create', '-n', 'nowhere', 'configmap', 'x')
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('namespaces "nowhere" not found')])
    const typed = await run('create', '--validate=false', '-f', file('bad.json', widget('bad', { size: 'big' })))
    expect([typed.code, typed.err]).toEqual([
      1,
      'The Widget "bad" is invalid: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"\n',
    ])
    const unknown = await run('create', '-f', file('odd.json', widget('odd', { size: 1, odd: true })))
    // kubectl 1.20 reports this itself, based on /openapi/v2; for newer versions the server does.
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/unknown field "(spec\.)?odd"/)])
    const kind = await run('get', 'gizmos')
    expect([kind.code, kind.err]).toEqual([1, `error: the server doesn't have a resource type "gizmos"\n`])
    const refused = await run('get', 'cm', '--as=ann')
    expect(refused.err).toBe(
      'Error from server (Forbidden): configmaps is forbidden: User "ann" cannot list resource "configmaps" in API group "" in the namespace "default"\n',
    )
  })

  it('applies repeatedly, as a dry run and for real, and shows the difference', async () => {
    const inHere = await namespace('applies')
    const first = file('applied.json', configMap('applied', { a: '1' }))
    expect(await inHere('apply', '--dry-run=server', '-f', first)).toBe('configmap/applied created (server dry run)\n')
    expect((await run('get', 'cm', 'applied', '-n', 'applies')).code).toBe(1)
    const different = await run('diff', '-n', 'applies', '-f', first)
    expect([different.code, different.out]).toEqual([1, expect.stringContaining('+  a: "1"')])
    expect(await inHere('apply', '-f', first)).toBe('configmap/applied created\n')
    expect(await inHere('apply', '-f', first)).toBe('configmap/applied unchanged\n')
    expect(await inHere('diff', '-f', first)).toBe('')
    const second = file('again.json', configMap('applied', { b: '2' }))
    expect(await inHere('apply', '-f', second)).toBe('configmap/applied configured\n')
    expect(await inHere('get', 'cm', 'applied', '-o', 'jsonpath={.data}')).toBe('{"b":"2"}')
    expect(await inHere('apply', '--server-side', '-f', file('ssa.json', widget('ssa', { size: 1 })))).toBe(
      'widget.contract.test/ssa serverside-applied\n',
    )
    expect(await inHere('replace', '-f', first)).toBe('configmap/applied replaced\n')
  })

  it('applies custom kinds, whose patches are merged by kubectl itself', async () => {
    const inHere = await namespace('merges')
    const apply = (spec: object) => inHere('apply', '-f', file('merged.json', widget('merged', spec)))
    expect(await apply({ size: 1, free: { a: '1', b: '1' } })).toBe('widget.contract.test/merged created\n')
    expect(await apply({ size: 2, free: { b: '1' } })).toBe('widget.contract.test/merged configured\n')
    expect(await apply({ size: 2, free: { b: '1' } })).toBe('widget.contract.test/merged unchanged\n')
    expect(JSON.parse(await inHere('get', 'wd', 'merged', '-o', 'jsonpath={.spec}'))).toEqual({
      size: 2,
      color: 'grey',
      free: { b: '1' },
    })
    const strategic = await run('patch', 'wd', 'merged', '-n', 'merges', '--type=strategic', '-p', '{}')
    expect([strategic.code, strategic.err]).toEqual([
      1,
      expect.stringContaining('application/json-patch+json, application/merge-patch+json'),
    ])
    const dry = ['apply', '--dry-run=server', '-f']
    expect(await inHere(...dry, file('dry.json', widget('dry')))).toBe(
      'widget.contract.test/dry created (server dry run)\n',
    )
  })

  it('accepts every field of a pod', async () => {
    const inHere = await namespace('pods')
    const pod = (image: string, more: object = {}) => {
      const container = { name: 'c', image, securityContext: { runAsUser: 5 }, ...more }
      return file('fields.json', aPod('p', [], { containers: [container], tolerations: [{ key: 'a' }] }))
    }
    expect(await inHere('apply', '-f', pod('i:1'))).toBe('pod/p created\n')
    const different = await run('diff', '-n', 'pods', '-f', pod('i:2'))
    // The diff tool prints the difference; any other output is a complaint about the OpenAPI document.
    expect([different.code, different.err]).toEqual([1, ''])
    expect(different.out).toMatch(/^\+ +-? ?image: i:2$/m)
    expect(await inHere('apply', '-f', pod('i:2'))).toBe('pod/p configured\n')
    const misspelt = await run('apply', '-n', 'pods', '-f', pod('i:2', { securityContxt: {} }))
    expect([misspelt.code, misspelt.err]).toEqual([1, expect.stringMatching(/unknown field "[^"]*securityContxt"/)])
    expect(await ok('explain', 'pod.spec.containers.securityContext')).toMatch(/runAsUser\s+<integer>/)
  })

  it('watches existing and new objects, or only new ones', async () => {
    const inHere = await namespace('watches')
    const names = (count: number, ...args: string[]) =>
      linesOf(count, 'get', 'secrets', ...args, '-o', 'name', '-n', 'watches')
    await inHere('create', 'secret', 'generic', 'a')
    const seen = Promise.all([names(3, '-w'), names(2, '--watch-only'), names(2, 'a', '-w')])
    await expect.poll(() => server.watchesOf('watches')).toBe(3)
    await inHere('create', 'secret', 'generic', 'b')
    await inHere('label', 'secret', 'a', 'x=y')
    const [a, b] = ['secret/a', 'secret/b']
    expect(await seen).toEqual([
      [a, b, a],
      [b, a],
      [a, a],
    ])
  })

  it('gets all kinds of a category', async () => {
    const inHere = await namespace('categories')
    await inHere('create', '-f', file('all.json', aPod('p')))
    expect(await inHere('get', 'all', '-o', 'name')).toBe('pod/p\n')
  })

  it('prints warnings of the server', async () => {
    const plural = 'relics.contract.test'
    const [version] = widgetDefinition.spec.versions
    const names = { plural: 'relics', singular: 'relic', kind: 'Relic', listKind: 'RelicList', shortNames: [] }
    const versions = [{ ...version, deprecated: true, deprecationWarning: 'take widgets' }]
    const definition = { ...widgetDefinition, metadata: { name: plural } }
    await ok('create', '-f', file('relics.json', { ...definition, spec: { ...definition.spec, names, versions } }))
    await ok('wait', '--for=condition=Established', `crd/${plural}`, '--timeout=5s')
    expect(await run('get', 'relics')).toEqual({
      code: 0,
      out: '',
      err: 'Warning: take widgets\nNo resources found in default namespace.\n',
    })
    await ok('delete', 'crd', plural)
  })

  it('patches in three ways, labels and annotates', async () => {
    const inHere = await namespace('patches')
    await inHere('create', 'configmap', 'patched', '--from-literal=a=1')
    const patch = (type: string, text: string) => inHere('patch', 'cm', 'patched', '--type', type, '-p', text)
    expect(await patch('strategic', '{"data":{"b":"2"}}')).toBe('configmap/patched patched\n')
    expect(await patch('merge', '{"data":{"a":null}}')).toBe('configmap/patched patched\n')
    expect(await patch('json', '[{"op":"add","path":"/data/c","value":"3"}]')).toBe('configmap/patched patched\n')
    expect(await patch('merge', '{}')).toBe('configmap/patched patched (no change)\n')
    expect(await inHere('get', 'cm', 'patched', '-o', 'jsonpath={.data}')).toBe('{"b":"2","c":"3"}')
    const failing = await run(
      'patch',
      'cm',
      'patched',
      '-n',
      'patches',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/x/y"}]',
    )
    expect([failing.code, failing.err]).toEqual([1, expect.stringContaining('The request is invalid')])
    expect(await inHere('label', 'cm', 'patched', 'a=b')).toBe('configmap/patched labeled\n')
    expect(await inHere('annotate', 'cm', 'patched', 'a=b')).toBe('configmap/patched annotated\n')
    expect(rows(await inHere('get', 'cm', '-l', 'a in (b)'))).toEqual(['NAME DATA', 'patched 2'])
    expect((await run('label', 'cm', 'patched', '-n', 'patches', 'a=c')).err).toContain("'a' already has a value (b)")
    expect(await inHere('label', 'cm', 'patched', 'a-')).toMatch(/^configmap\/patched (unlabeled|labeled)\n$/)
  })

  it('deletes, and waits until everything is deleted', async () => {
    const inHere = await namespace('deletes')
    await inHere('create', 'configmap', 'one')
    expect(await inHere('delete', 'cm', 'one')).toMatch(/^configmap "one" deleted/)
    await inHere('create', '-f', file('owner.json', widget('owner')))
    const uid = await inHere('get', 'wd', 'owner', '-o', 'jsonpath={.metadata.uid}')
    const ownerReferences = [{ apiVersion: 'contract.test/v1', kind: 'Widget', name: 'owner', uid }]
    await inHere(
      'create',
      '-f',
      file('owned.json', { ...configMap('owned'), metadata: { name: 'owned', ownerReferences } }),
    )
    expect(await inHere('delete', 'wd', 'owner', '--cascade=orphan')).toMatch(/^widget.contract.test "owner" deleted/)
    expect(await inHere('get', 'cm', 'owned', '-o', 'jsonpath={.metadata.ownerReferences}')).toBe('')
    expect(await inHere('delete', 'wd', '--all')).toBe('No resources found\n')
    expect(await inHere('delete', 'wd', 'owner', '--ignore-not-found')).toBe('')
    expect(await ok('delete', 'namespace', 'deletes')).toMatch(/^namespace "deletes" deleted/)
    expect((await run('get', 'namespace', 'deletes')).err).toContain('namespaces "deletes" not found')
  })

  it('replaces by force, once the object has no finalizers', async () => {
    const inHere = await namespace('forces')
    const pod = file('forced.json', aPod('p'))
    await inHere('create', '-f', pod)
    const replaced = /^pod "p" deleted.*\npod\/p replaced\n$/
    const uids = new Set<string>()
    for (const option of ['--grace-period=-1', '--grace-period=0', '--cascade=foreground', '--cascade=orphan']) {
      const { code, out } = await run('replace', '--force', option, '-n', 'forces', '-f', pod)
      expect([option, code, out]).toEqual([option, 0, expect.stringMatching(replaced)])
      uids.add(await inHere('get', 'pod', 'p', '-o', 'jsonpath={.metadata.uid}'))
    }
    expect(uids.size).toBe(4)
    const ofPod = async (method: string, body?: string) => {
      const response = await server.send(method, '/api/v1/namespaces/forces/pods/p', body)
      return (await response.json()) as KubeObject // A pod.
    }
    // The first command polls until the object is deleted, the second one watches.
    for (const option of ['--grace-period=-1', '--grace-period=0']) {
      const { metadata } = await ofPod('PATCH', '{"metadata":{"finalizers":["contract.test/hold"]}}')
      let isDone = false
      const forced = run('replace', '--force', option, '-n', 'forces', '-f', pod).finally(() => (isDone = true))
      await vi.waitUntil(async () => (await ofPod('GET')).metadata.deletionTimestamp !== undefined)
      expect(isDone).toBe(false)
      await ofPod('PATCH', '{"metadata":{"finalizers":null}}')
      expect(await forced).toMatchObject({ code: 0, out: expect.stringMatching(replaced) })
      expect((await ofPod('GET')).metadata.uid).not.toBe(metadata.uid)
    }
  })

  it('uses and explains a new kind at once', async () => {
    const gadgets = structuredClone(widgetDefinition)
    gadgets.metadata.name = 'gadgets.contract.test'
    gadgets.spec.names = {
      plural: 'gadgets',
      singular: 'gadget',
      kind: 'Gadget',
      listKind: 'GadgetList',
      shortNames: [],
    }
    expect(await ok('create', '-f', file('gadgets.json', gadgets))).toBe(
      'customresourcedefinition.apiextensions.k8s.io/gadgets.contract.test created\n',
    )
    expect(await ok('wait', '--for=condition=Established', 'crd/gadgets.contract.test', '--timeout=5s')).toBe(
      'customresourcedefinition.apiextensions.k8s.io/gadgets.contract.test condition met\n',
    )
    expect(await ok('create', '-f', file('gadget.json', { ...widget('g'), kind: 'Gadget' }))).toBe(
      'gadget.contract.test/g created\n',
    )
    expect(await ok('get', 'gadgets', '-o', 'name')).toBe('gadget.contract.test/g\n')
    const explained = await ok('explain', 'gadget.spec')
    expect(explained).toMatch(/size\s+<integer> ?-required-/)
    expect(await ok('delete', 'crd', 'gadgets.contract.test')).toMatch(/ "gadgets.contract.test" deleted/)
    expect((await run('get', 'gadgets')).code).toBe(1)
  })

  it('checks access', async () => {
    const inHere = await namespace('rights')
    expect(await inHere('create', 'role', 'reader', '--verb=get', '--resource=configmaps')).toBe(
      'role.rbac.authorization.k8s.io/reader created\n',
    )
    expect(await inHere('create', 'rolebinding', 'reader', '--role=reader', '--user=ann')).toBe(
      'rolebinding.rbac.authorization.k8s.io/reader created\n',
    )
    expect(await inHere('auth', 'can-i', 'get', 'configmaps', '--as=ann')).toBe('yes\n')
    const no = await run('auth', 'can-i', 'delete', 'configmaps', '--as=ann', '-n', 'rights')
    expect([no.code, no.out]).toEqual([1, 'no\n'])
    expect(await inHere('auth', 'can-i', '--list', '--as=ann')).toMatch(/^configmaps\s+\[\]\s+\[\]\s+\[get\]$/m)
    const rolebindings = await inHere('get', 'rolebindings')
    expect(rows(rolebindings)).toEqual(['NAME ROLE', 'reader Role/reader'])
  })

  it('lists all permissions of a user', async () => {
    const inHere = await namespace('lists')
    await inHere('create', 'role', 'r', '--verb=get,list', '--resource=pods', '--resource-name=x')
    await inHere('create', 'role', 'all', '--verb=*', '--resource=configmaps')
    await inHere('create', 'rolebinding', 'r', '--role=r', '--user=u')
    await inHere('create', 'rolebinding', 'all', '--role=all', '--group=g')
    const list = await inHere('auth', 'can-i', '--list', '--as=u', '--as-group=g')
    expect(list.split('\n').map((line) => line.trimEnd().replaceAll(/\s{2,}/g, ' | '))).toEqual([
      'Resources | Non-Resource URLs | Resource Names | Verbs',
      'configmaps | [] | [] | [*]',
      'selfsubjectreviews.authentication.k8s.io | [] | [] | [create]',
      'selfsubjectaccessreviews.authorization.k8s.io | [] | [] | [create]',
      'selfsubjectrulesreviews.authorization.k8s.io | [] | [] | [create]',
      'pods | [] | [x] | [get list]',
      // Permissions from two roles are listed twice, as by a real server.
      ...['/api/*', '/api', '/apis/*', '/apis', '/healthz', '/healthz', '/livez', '/livez', '/openapi/*', '/openapi']
        .concat('/readyz', '/readyz', '/version/', '/version/', '/version', '/version')
        .map((path) => ` | [${path}] | [] | [get]`),
      '',
    ])
    expect(await inHere('auth', 'can-i', 'list', 'pods/x', '--as=u')).toBe('yes\n')
    expect(await inHere('auth', 'can-i', 'get', '/healthz', '--as=u')).toBe('yes\n')
  })

  // `create token` came with 1.24, `auth whoami` with 1.28.
  it.skipIf(minor < 28)('prints the current user, and requests tokens', async () => {
    const inHere = await namespace('tokens')
    expect(await ok('auth', 'whoami', '--as=u', '--as-group=g', '--as-group=h', '--as-uid=42')).toBe(
      `ATTRIBUTE   VALUE
Username    u
UID         42
Groups      [g h system:authenticated]
`,
    )
    await inHere('create', 'serviceaccount', 'robot')
    const token = (await inHere('create', 'token', 'robot', '--duration=10m')).trim()
    const config = JSON.parse(readFileSync(join(folder, 'config'), 'utf8')) as { users: object[] }
    const robot = `--kubeconfig=${file('robot', { ...config, users: [{ name: 'u', user: { token } }] })}`
    expect(await ok(robot, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe(
      'system:serviceaccount:tokens:robot',
    )
    const refused = await run(robot, 'get', 'pods', '-n', 'tokens')
    expect([refused.code, refused.err]).toEqual([
      1,
      'Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:tokens:robot" cannot list resource "pods" in API group "" in the namespace "tokens"\n',
    ])
    const short = await run('create', 'token', 'robot', '-n', 'tokens', '--duration=1m')
    expect(short.err).toContain('Invalid value: 60: may not specify a duration less than 10 minutes')
    await inHere('delete', 'serviceaccount', 'robot')
    // A real server caches a valid token for a few seconds.
    const whoAmI = async () => (await run(robot, 'auth', 'whoami')).err
    await expect.poll(whoAmI).toBe('error: You must be logged in to the server (Unauthorized)\n')
  })

  it('creates a secret of each type', async () => {
    const inHere = await namespace('secrets')
    const login = ['--docker-server=registry.test', '--docker-username=ann', '--docker-password=x']
    const literals = (...pairs: string[]) => pairs.map((pair) => `--from-literal=${pair}`)
    const generic = (name: string, type: string, ...pairs: string[]) => [
      'generic',
      name,
      `--type=${type}`,
      ...literals(...pairs),
    ]
    // The real server warns about others.
    const pair = selfSignedCertificate(['registry.test'], new Date())
    writeFileSync(join(folder, 'pair.crt'), pair.cert)
    writeFileSync(join(folder, 'pair.key'), pair.key)
    for (const args of [
      ['generic', 'opaque', ...literals('a=b'), `--from-file=config=${join(folder, 'config')}`],
      ['docker-registry', 'registry', ...login],
      generic('old-registry', 'kubernetes.io/dockercfg', '.dockercfg={}'),
      generic('login', 'kubernetes.io/basic-auth', 'username=ann', 'password=x'),
      generic('key', 'kubernetes.io/ssh-auth', 'ssh-privatekey=x'),
      ['tls', 'pair', `--cert=${join(folder, 'pair.crt')}`, `--key=${join(folder, 'pair.key')}`],
    ]) {
      expect(await inHere('create', 'secret', ...args)).toBe(`secret/${args[1]} created\n`)
    }
    expect(rows(await inHere('get', 'secrets'))).toEqual([
      'NAME TYPE DATA',
      'key kubernetes.io/ssh-auth 1',
      'login kubernetes.io/basic-auth 2',
      'old-registry kubernetes.io/dockercfg 1',
      'opaque Opaque 2',
      'pair kubernetes.io/tls 2',
      'registry kubernetes.io/dockerconfigjson 1',
    ])
    for (const [args, problem] of [
      [generic('login', 'Opaque'), 'secrets "login" already exists'],
      [
        generic('wrong', 'kubernetes.io/ssh-auth', 'a=b'),
        'Secret "wrong" is invalid: data[ssh-privatekey]: Required value',
      ],
    ] as const) {
      const { code, err } = await run('create', 'secret', ...args, '-n', 'secrets')
      expect([code, err]).toEqual([1, `error: failed to create secret ${problem}\n`])
    }
  })

  it('describes objects', async () => {
    const inHere = await namespace('describes')
    await inHere('create', 'secret', 'generic', 'hidden', '--from-literal=a=12345')
    const secret = await inHere('describe', 'secret', 'hidden')
    expect(secret).toMatch(/Name:\s+hidden\nNamespace:\s+describes\n[^]*Type:\s+Opaque\n\nData\n====\na:\s+5 bytes\n/)
    await inHere('create', '-f', file('described.json', widget('described', { size: 7 })))
    expect(await inHere('describe', 'wd', 'described')).toMatch(
      /Name:\s+described\n[^]*Size:\s+7\n[^]*Events:\s+<none>\n/,
    )
    expect(await ok('describe', 'namespace', 'describes')).toMatch(/^Status:\s+Active$/m)
  })

  it.runIf(isEmbedded)(
    'reads the log of a pod: all of it, its end, as it grows, and that of the run before',
    async () => {
      const inHere = await namespace('logs')
      const pod = '/api/v1/namespaces/logs/pods/p'
      const send = async (method: string, path: string, body: string) => {
        expect((await server.send(method, path, body)).ok).toBe(true)
      }
      const write = (text: string, query = '') => send('POST', `${pod}/log?${query}`, text)
      const turn = (status: object) =>
        send('PATCH', `${pod}/status`, JSON.stringify({ status: { containerStatuses: [{ name: 'main', ...status }] } }))
      await inHere('create', '-f', file('pod.json', aPod('p')))
      await turn({ restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } })
      const waiting = await run('logs', 'p', '-n', 'logs')
      expect([waiting.code, waiting.err]).toEqual([
        1,
        'Error from server (BadRequest): container "main" in pod "p" is waiting to start: PodInitializing\n',
      ])
      await turn({ restartCount: 0, state: { running: {} } })
      await write('old\n', 'time=2026-01-01T00:00:00Z')
      await write('new\nünd more\n')
      expect(await inHere('logs', 'p')).toBe('old\nnew\nünd more\n')
      expect(await inHere('logs', 'p', '--tail=1')).toBe('ünd more\n')
      expect(await inHere('logs', 'p', '--since=1h')).toBe('new\nünd more\n')
      expect(await inHere('logs', 'p', '--timestamps', '--limit-bytes=35')).toBe('2026-01-01T00:00:00.000000000Z old\n')
      const followed = inHere('logs', '-f', 'p', '--tail=1')
      await write('last')
      await turn({ restartCount: 0, state: { terminated: { exitCode: 1, containerID: 'c' } } })
      // It may have read the log before or after the last write.
      expect(['ünd more\nlast', 'last']).toContain(await followed)
      await turn({
        restartCount: 1,
        state: { running: {} },
        lastState: { terminated: { exitCode: 1, containerID: 'c' } },
      })
      await write('again\n')
      expect(await inHere('logs', 'p')).toBe('again\n')
      expect(await inHere('logs', 'p', '-p')).toBe('old\nnew\nünd more\nlast')
    },
  )

  it('gets an error for exec, attach and port-forward', async () => {
    const inHere = await namespace('streams')
    await inHere('create', '-f', file('silent.json', aPod('p')))
    for (const stream of [
      ['exec', 'p', '--', 'ls'],
      ['attach', 'p'],
    ]) {
      const { code, err } = await run('-n', 'streams', ...stream)
      expect(code).toBe(1)
      // This server does not support it; a real one would look for the node of the pod, which has none.
      expect(err).toMatch(
        isEmbedded
          ? /Error from server \(NotFound\): the server could not find the requested resource\n/
          : /Error from server \(BadRequest\): pod p does not have a host assigned\n/,
      )
    }
  })

  it('describes a pod with its events', async () => {
    const inHere = await namespace('events')
    await inHere('create', '-f', file('described-pod.json', aPod('p')))
    const uid = await inHere('get', 'pod', 'p', '-o', 'jsonpath={.metadata.uid}')
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'p.1' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: 'events', uid },
      reason: 'Pulled',
      message: 'Image is here',
      type: 'Normal',
      source: { component: 'kubelet' },
      firstTimestamp: new Date().toISOString(),
      lastTimestamp: new Date().toISOString(),
      count: 1,
    }
    await inHere('create', '-f', file('event.json', event))
    expect(await inHere('describe', 'pod', 'p')).toMatch(
      /^Status:\s+Pending$[^]*^Events:\n[^]*Normal +Pulled +\S+ +kubelet +Image is here\n/m,
    )
    for (const kind of ['events', 'events.events.k8s.io']) {
      expect(await inHere('get', kind)).toMatch(/Normal +Pulled +pod\/p +Image is here\n$/)
    }
  })

  it('applies server-side, reports conflicts and forces', async () => {
    const inHere = await namespace('sides')
    const config = (data: Record<string, string>) => file('sides.json', configMap('both', data))
    const apply = ['apply', '--server-side', '-n', 'sides', '-f']
    expect(await ok(...apply, config({ a: '1', b: '1' }))).toBe('configmap/both serverside-applied\n')
    const conflicting = [...apply, config({ a: '2' }), '--field-manager=other']
    const { code, err } = await run(...conflicting)
    expect(code).toBe(1)
    expect(err).toMatch(/Apply failed with 1 conflict: conflict with "kubectl".*: \.data\.a\n/)
    expect(await ok(...conflicting, '--force-conflicts')).toBe('configmap/both serverside-applied\n')
    const data = ['get', 'configmap', 'both', '-o', 'jsonpath={.data}']
    expect(JSON.parse(await inHere(...data))).toEqual({ a: '2', b: '1' })
    await ok(...apply, config({ c: '1' }))
    expect(JSON.parse(await inHere(...data))).toEqual({ a: '2', c: '1' })
    const managers = 'jsonpath={range .metadata.managedFields[*]}{.manager} {.operation} {.fieldsV1}{"\\n"}{end}'
    expect((await inHere('get', 'configmap', 'both', '-o', managers)).trimEnd().split('\n').sort()).toEqual([
      'kubectl Apply {"f:data":{"f:c":{}}}',
      'other Apply {"f:data":{"f:a":{}}}',
    ])
  })

  it('switches from client-side to server-side apply', async () => {
    const inHere = await namespace('moves')
    const config = (data: Record<string, string>) => file('moves.json', configMap('moved', data))
    await ok('apply', '-n', 'moves', '-f', config({ a: '1', b: '1' }))
    const { code, err } = await run('apply', '--server-side', '-n', 'moves', '-f', config({ a: '2' }))
    expect([code, err.replace(/^Warning: .*\n/gm, '')]).toEqual([0, ''])
    await ok('apply', '--server-side', '-n', 'moves', '-f', config({ a: '3' }))
    expect(await inHere('get', 'configmap', 'moved', '-o', 'jsonpath={.data.a}')).toBe('3')
  })
}
