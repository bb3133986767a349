import { nameSuffix, type Random } from './keyed-random'

/** Longer prefixes are truncated when a name is generated. Source: k8s.io/apiserver, names/generate.go. */
const maxPrefix = 58

/** Generates a name as `generateName` does, but the same for the same random numbers. */
export function generatedName(
  prefix: string,
  random: Random,
  isTaken: (name: string) => boolean = () => false,
): string {
  for (;;) {
    const name = `${prefix.slice(0, maxPrefix)}${nameSuffix(random)}`
    if (!isTaken(name)) return name
  }
}
