// Checks the landing page's first load against its budget.
import { firstLoadSizes } from './lib/first-load.mjs'

const budgetKib = { js: 138, css: 52 }

const sizes = firstLoadSizes()
for (const kind of /** @type {const} */ (['js', 'css'])) {
  const kib = sizes[kind].bytes / 1024
  const isWithinBudget = kib <= budgetKib[kind]
  const files = `${sizes[kind].files} file${sizes[kind].files === 1 ? '' : 's'}`
  console.log(
    `First load, ${kind.toUpperCase().padEnd(3)} ${kib.toFixed(1)} KiB gzip in ${files}` +
      ` (budget ${budgetKib[kind]} KiB)${isWithinBudget ? '' : ': over budget'}`,
  )
  if (!isWithinBudget) process.exitCode = 1
}
