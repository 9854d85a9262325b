// Command controlplane is every part of a Kubernetes control plane in one
// binary, switched on its first argument, and the kubectl that talks to it.
//
// One binary instead of six: they share nearly all of their packages, so
// together they compile once, link once and take a third of the disk.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// parts are the programs of this binary. Each one reads os.Args as if it had
// been started under its own name, and returns its exit code.
var parts = map[string]func() int{
	"etcd": func() int {
		etcdmain.Main(os.Args)
		return 0
	},
	"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() int { return cli.Run(controllermanager.NewControllerManagerCommand()) },
	"kube-scheduler":          func() int { return cli.Run(scheduler.NewSchedulerCommand()) },
	"kwok":                    runKwok,
	"kubectl":                 runKubectl,
	"pki":                     runPki,
}

func main() {
	var name string
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	run, known := parts[name]
	if !known {
		fmt.Fprintf(os.Stderr, "controlplane: no part is called %q; use one of %s\n", name, strings.Join(partNames(), ", "))
		os.Exit(2)
	}
	os.Args = append([]string{filepath.Join(filepath.Dir(os.Args[0]), name)}, os.Args[2:]...)
	os.Exit(run())
}

func partNames() []string {
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
