// Uses memory as the cluster process does, and sends its parent what it retains afterwards.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { setImmediate as turn } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** Objects that live as long as a request, with which the young generation grows as far as it may. */
function allocateObjects() {
  let recent = []
  for (let number = 0; number < 3_000_000; number++) {
    recent.push({ number })
    if (recent.length > 60_000) recent = []
  }
  return youngBytes()
}

/** 200 MB in blocks like those of the change log, of which one in eight is retained. */
async function allocateBlocks() {
  const blocks = Array.from({ length: 800 }, () => new Uint8Array(256 * 1024).fill(1))
  const retained = blocks.filter((_, index) => index % 8 === 0)
  blocks.length = 0
  for (let count = 0; count < 3; count++) {
    collectGarbage()
    await turn()
  }
  return retained
}

const young = allocateObjects()
collectGarbage()
const before = process.memoryUsage.rss()
let retained = await allocateBlocks()
retained = await allocateBlocks()
process.send?.({ youngBytes: young, addedBytes: process.memoryUsage.rss() - before, blocks: retained.length })
