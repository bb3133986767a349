// tkn with the commands that our tests use: the whole command also needs a client of the Tekton Hub, which is not published
// as a module.
package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/tektoncd/cli/pkg/cli"
	"github.com/tektoncd/cli/pkg/cmd/pipelinerun"
	"github.com/tektoncd/cli/pkg/cmd/taskrun"
)

func main() {
	params := &cli.TektonParams{}
	tkn := &cobra.Command{Use: "tkn", SilenceUsage: true}
	tkn.AddCommand(pipelinerun.Command(params), taskrun.Command(params))
	if tkn.Execute() != nil {
		os.Exit(1)
	}
}
