package main

import (
	"context"
	"maps"
	"reflect"
	"testing"
	_ "unsafe" // for go:linkname

	"github.com/google/cel-go/common/types"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
)

// The tables that have no lock. Two writers at once are seen by chance only, so
// the test looks at whether there is anything left to write.

//go:linkname typeValues github.com/wzshiming/easycel.typeValueMap
var typeValues map[reflect.Type]*types.Type

//go:linkname typeTraits github.com/wzshiming/easycel.typeTraitMap
var typeTraits map[reflect.Type]int

func TestNothingIsLeftToLearnForStages(t *testing.T) {
	if err := learnStageTypes(context.Background()); err != nil {
		t.Fatal(err)
	}
	values, traits := maps.Clone(typeValues), maps.Clone(typeTraits)
	if len(values) == 0 || len(traits) == 0 {
		t.Fatalf("nothing was learnt: %d values, %d traits", len(values), len(traits))
	}
	for _, object := range []any{&corev1.Node{}, &corev1.Pod{}, &unstructured.Unstructured{}} {
		setUpStage(t, object)
	}
	if len(typeValues) != len(values) || len(typeTraits) != len(traits) {
		t.Errorf("values grew from %d to %d, traits from %d to %d",
			len(values), len(typeValues), len(traits), len(typeTraits))
	}
}

// setUpStage does what kwok's controllers do at their first object.
func setUpStage(t *testing.T, object any) {
	t.Helper()
	stages, err := lifecycle.NewLifecycle([]*internalversion.Stage{
		{Spec: internalversion.StageSpec{Selector: &internalversion.StageSelector{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stages.Match(context.Background(), &lifecycle.Event{Data: object}); err != nil {
		t.Fatal(err)
	}
}
