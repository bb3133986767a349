/** A script of the build. */
interface ScriptFile {
  fileName: string
  /** Absolute paths of its modules. */
  moduleIds: readonly string[]
  /** The scripts that it imports. */
  imports: readonly string[]
  css: readonly string[]
  isEntry: boolean
}

interface PageFilesOptions {
  scripts: readonly ScriptFile[]
  /** Absolute path of the folder that the names of modules are relative to. */
  source: string
}

/**
 * The files that each page loads besides those that `index.html` names, as attributes of the first script: all of them,
 * and the indexes of those of each page.
 * @param pages the modules that are imported on demand on each page, without the ends of their names
 */
export function filesOfPages(
  pages: readonly (readonly string[])[],
  { scripts, source }: PageFilesOptions,
): { files: string; pages: string } {
  const named = new Map(scripts.map((script) => [script.fileName, script]))
  const closureOf = (roots: readonly ScriptFile[], known = new Set<ScriptFile>()): Set<ScriptFile> => {
    for (const script of roots) {
      if (known.has(script)) continue
      known.add(script)
      closureOf(
        script.imports.flatMap((name) => named.get(name) ?? []),
        known,
      )
    }
    return known
  }
  const first = closureOf(scripts.filter(({ isEntry }) => isEntry))
  const scriptWith = (module: string) =>
    scripts.filter(({ moduleIds }) => moduleIds.some((id) => id.startsWith(`${source}${module}.`)))
  const files: string[] = []
  const indexOf = (file: string) => {
    if (!files.includes(file)) files.push(file)
    return files.indexOf(file)
  }
  const lists = pages.map((modules) => {
    const own = [...closureOf(modules.flatMap(scriptWith))].filter((script) => !first.has(script))
    return [...new Set(own.flatMap(({ fileName, css }) => [fileName, ...css]))].map(indexOf).join(',')
  })
  return { files: files.join(' '), pages: lists.join(' ') }
}

/** The files of a page, from those attributes; a document of this page alone has only its own. */
export function filesAt({ files = '', pages }: { files?: string; pages?: string }, page: number): string[] {
  const names = files.split(' ').filter(Boolean)
  if (pages === undefined) return names
  const indexes = pages.split(' ')[page] ?? ''
  return indexes.split(',').flatMap((index) => (index && names[Number(index)]) || [])
}
