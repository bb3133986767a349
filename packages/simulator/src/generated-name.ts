import { nameSuffix, type Random } from './keyed-random'

/** Longer beginnings are cut off where a name is generated. Source: k8s.io/apiserver, names/generate.go. */
const maxHead = 58

/** As `generateName` makes one, but the same for the same random numbers. */
export function generatedName(head: string, random: Random, isTaken: (name: string) => boolean = () => false): string {
  for (;;) {
    const name = `${head.slice(0, maxHead)}${nameSuffix(random)}`
    if (!isTaken(name)) return name
  }
}
