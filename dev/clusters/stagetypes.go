package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
)

// learnStageTypes makes kwok look once, one by one, at each type of object that
// its stages are for.
//
// kwok's controllers (nodes, pods, and one for each other kind) begin at the same
// time, and each sets up its stages at its first object. That fills tables of
// easycel that belong to the whole process and have no lock. Where objects of
// several kinds are there from the start, as after an outage, Go now and then ends
// kwok: "fatal error: concurrent map writes". Tables that are full are only read.
func learnStageTypes(ctx context.Context) error {
	// All kinds but the first two reach their stages as unstructured objects.
	for _, object := range []any{&corev1.Node{}, &corev1.Pod{}, &unstructured.Unstructured{}} {
		stages, err := lifecycle.NewLifecycle([]*internalversion.Stage{
			{Spec: internalversion.StageSpec{Selector: &internalversion.StageSelector{}}},
		})
		if err == nil {
			_, err = stages.Match(ctx, &lifecycle.Event{Data: object})
		}
		if err != nil {
			return fmt.Errorf("stages for %T: %w", object, err)
		}
	}
	return nil
}
