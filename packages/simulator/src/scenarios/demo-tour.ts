import type { TourStep } from '@slipway/model/platform/tour'

const failedBuild: TourStep = {
  title: 'A build that failed',
  path: '/ns/team-payments/applications/checkout/activity/pipelineruns?status=Failed',
  text: 'Open a run of checkout-web. Its page starts with what failed: the task, the step and the exit code, the last lines of the log, and a link to the exact line, which you can send to a colleague.',
}

const blockedRelease: TourStep = {
  title: 'A release that is blocked',
  path: '/ns/team-storefront/release/release-plan',
  text: 'Find storefront-frozen: those who own its target block releases. Other plans match no admission, so they could not release anything either. Each says so before you try.',
}

/** What the story of the demo is about. */
export const demoHighlights = [failedBuild, blockedRelease]

/** The tour through the story of the demo: a build that failed, and a release that is blocked. */
export const demoTour: TourStep[] = [
  {
    title: 'The applications of a team',
    path: '/ns/team-payments/applications',
    text: 'The payments team ships four applications. The table changes while you watch, and its badge says how up to date it is. Now to a build of checkout that failed.',
  },
  failedBuild,
  {
    title: 'Why a snapshot is not released',
    path: '/ns/team-payments/applications/checkout/snapshots',
    text: 'A snapshot is the set of images that are tested and released together. Open the one of the type Group: it lists its tests, and says for each release plan why it is held back.',
  },
  blockedRelease,
  {
    title: 'Your turn',
    path: '/ns/team-payments/runs',
    text: 'Simulated people push, so builds start by themselves. Start one from the menu of a component, stop one here, or press Ctrl+K (⌘K on a Mac) to search everything.',
  },
]
