// This file names the parts of a run that package snapshot describes, for those who see a run through the engine alone.

package engine

import "tokdyno/engine/snapshot"

// What a run is told and what it shows; see package snapshot.
type (
	Knobs         = snapshot.Knobs
	Prices        = snapshot.Prices
	PilotKind     = snapshot.PilotKind
	Snapshot      = snapshot.Snapshot
	State         = snapshot.State
	Mark          = snapshot.Mark
	Health        = snapshot.Health
	PilotView     = snapshot.PilotView
	StageRow      = snapshot.StageRow
	EndpointLine  = snapshot.EndpointLine
	PromptLengths = snapshot.PromptLengths
	AnswerLengths = snapshot.AnswerLengths
	LengthMethod  = snapshot.LengthMethod
	Telemetry     = snapshot.Telemetry
	Efficiency    = snapshot.Efficiency
	GPUPoint      = snapshot.GPUPoint
	ServerPoint   = snapshot.ServerPoint
)

// Their values.
const (
	DefaultTarget = snapshot.DefaultTarget

	Probing  = snapshot.Probing
	Running  = snapshot.Running
	Paused   = snapshot.Paused
	Draining = snapshot.Draining
	Ended    = snapshot.Ended

	Ladder = snapshot.Ladder
	Search = snapshot.Search
	Steps  = snapshot.Steps

	ByIDs       = snapshot.ByIDs
	ByTokenizer = snapshot.ByTokenizer
	ByUsage     = snapshot.ByUsage
	AsEstimated = snapshot.AsEstimated
	AsFound     = snapshot.AsFound
)
