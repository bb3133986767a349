import { asArray, asRecord } from '@slipway/kube/parse'
import { credentialsInUrl } from '../git/repository-address'
import { maxUrlLength, parseGitUrl, urlTooLong } from '../git/git-url'

/** Where the git resolver finds a pipeline. */
export interface PipelineSource {
  url: string
  revision: string
  /** Path of the file in the repository. */
  path: string
}

/** The parameters of the resolver that contain the source. */
export const sourceParams = { url: 'url', revision: 'revision', path: 'pathInRepo' } as const satisfies Record<
  keyof PipelineSource,
  string
>
export const sourceMembers = Object.entries(sourceParams) as [keyof PipelineSource, string][]

/** @param params of a resolver, as stored */
export function sourceIn(params: unknown): PipelineSource {
  const valueOf = (name: string): string => {
    const { value } = asRecord(asArray(params).find((param) => asRecord(param).name === name))
    return typeof value === 'string' ? value : ''
  }
  return { url: valueOf(sourceParams.url), revision: valueOf(sourceParams.revision), path: valueOf(sourceParams.path) }
}

/** The parameters with another value of one of them, in its place. */
export function withParam<P extends { name: string }>(
  params: readonly P[],
  name: string,
  value: string,
): (P | { name: string; value: string })[] {
  return params.some((param) => param.name === name)
    ? params.map((param) => (param.name === name ? { ...param, value } : param))
    : [...params, { name, value }]
}

/** Why a trimmed text is not the URL of a repository; `undefined` if it is. */
export function gitUrlError(url: string): string | undefined {
  if (url === '') return 'Required'
  if (url.length > maxUrlLength) return urlTooLong
  if (!parseGitUrl(url))
    return 'Must be the URL of a git repository, such as https://github.com/organization/repository.'
  return /^https?:\/\/[^/]*@/i.test(url) ? credentialsInUrl : undefined
}

/** Rules of git for the name of a reference, as far as they concern what users type. */
export function gitRevisionError(revision: string): string | undefined {
  if (revision === '') return 'Required'
  if (revision.length > maxUrlLength) return urlTooLong
  const isValid = !/[\s~^:?*[\\]|\.\.|\/\/|@\{|^[-/]|[/.]$|\.lock$/.test(revision)
  return isValid ? undefined : 'Must be the name of a branch or tag, or a commit.'
}

export function gitPathError(path: string): string | undefined {
  if (path === '') return 'Required'
  if (path.length > maxUrlLength) return urlTooLong
  if (path.startsWith('/') || /^[a-z]+:\/\//i.test(path))
    return 'Must be a path from the root of the repository, without a leading slash.'
  if (/\s|\\|(^|\/)\.\.(\/|$)/.test(path)) return 'Must not contain spaces, backslashes or “..”.'
  return /[^/]\.ya?ml$/.test(path) ? undefined : 'Must be a YAML file (.yaml or .yml).'
}
