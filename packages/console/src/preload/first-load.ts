import { packSheets } from './critical-css'
import { createFrameDocuments } from './frame-document'
import { type Frame, renderFrames } from './frames'
import { filesOfPages } from './page-files'
import { createPreloadPlan, type RecordedPlan } from './plan'

/** What the build prepares of the first load. */
export interface FirstLoad {
  plan: RecordedPlan
  frames: Frame[]
  /** These need the files of the build, so they are called at its end. */
  createFrameDocuments: typeof createFrameDocuments
  packSheets: typeof packSheets
  filesOfPages: typeof filesOfPages
}

/** The build runs this in Node, in one bundle, since the plan and the frames both need all pages. */
export const prepareFirstLoad = async (): Promise<FirstLoad> => ({
  plan: await createPreloadPlan(),
  frames: await renderFrames(),
  createFrameDocuments,
  packSheets,
  filesOfPages,
})
