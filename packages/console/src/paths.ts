/** Every URL of ours, spelled once. Names are encoded, so a hostile one cannot leave its segment. */

export interface NamespaceParams {
  namespace: string
}

export const paths = {
  overview: () => '/',
  namespaces: () => '/ns',
  /** Leads on to the applications of the namespace. */
  namespace: (p: NamespaceParams) => path`/ns/${p.namespace}`,
  applications: (p: NamespaceParams) => path`/ns/${p.namespace}/applications`,
  createApplication: (p: NamespaceParams) => path`/ns/${p.namespace}/import`,
  access: (p: NamespaceParams) => path`/ns/${p.namespace}/access`,
  grantAccess: (p: NamespaceParams) => path`/ns/${p.namespace}/access/grant`,
  editAccess: (p: NamespaceParams & { binding: string }) => path`/ns/${p.namespace}/access/edit/${p.binding}`,
}

/** The route pattern of a path: `pattern(paths.applications)` is `/ns/:namespace/applications`. */
export const pattern = <P extends object>(build: (params: P) => string): string =>
  // A stand-in that answers `:key` for whichever parameter the builder reads.
  build(new Proxy({}, { get: (_, key) => `:${String(key)}` }) as P)

function path(texts: TemplateStringsArray, ...values: string[]): string {
  // `:namespace` is the stand-in of a pattern; as a value it means the same unencoded.
  const encoded = values.map((value) => (/^:[A-Za-z]+$/.test(value) ? value : encodeURIComponent(value)))
  return String.raw({ raw: texts }, ...encoded)
}
