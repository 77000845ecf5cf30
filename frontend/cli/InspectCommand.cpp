//===- InspectCommand.cpp - dtc inspect -----------------------------------===//
//
// What a program is, for people and (--json) for programs: plan, memory by
// class, schedule, instructions, the arena with offsets, communication. One
// JSON document is made first; the text is printed from it, so that both say
// the same.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"
#include "runtime/program/Mesh.h"

#include <flatbuffers/minireflect.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <memory>

namespace dtc::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InspectArguments {
  ModelOptions model;
  bool json = false, operations = false, arena = false;
};

const char *const kAxisNames[] = {"pp", "dp", "tp", "mb"};

/// An instruction's fields as the schema names them, on one line.
std::string fieldsText(const program::Instruction &entry) {
  const flatbuffers::TypeTable *kinds = program::InstructionKindTypeTable();
  auto kind = static_cast<size_t>(entry.kind_type());
  const flatbuffers::TypeTable *table =
      kinds->type_refs[kinds->type_codes[kind].sequence_ref]();
  flatbuffers::ToStringVisitor visitor(" ", /*quotes=*/false, "", true);
  flatbuffers::IterateObject(static_cast<const uint8_t *>(entry.kind()), table,
                             &visitor);
  return visitor.s;
}

std::string layoutText(const program::Program &program,
                       const program::Layout &layout) {
  std::string text;
  for (int axis = 0; axis < rt::kMeshAxisCount; ++axis) {
    const program::AxisState &state = *layout.axes()->Get(axis);
    std::string name;
    switch (state.kind()) {
    case program::AxisKind::Replicated:
      name = "R";
      break;
    case program::AxisKind::Split:
      name = "S(" + std::to_string(state.dim()) + ")";
      break;
    case program::AxisKind::Partial:
      name = state.reduction() == program::ReductionKind::Sum   ? "P(sum)"
             : state.reduction() == program::ReductionKind::Max ? "P(max)"
                                                                : "P(or)";
      break;
    case program::AxisKind::Opaque:
      name = "X";
      break;
    case program::AxisKind::On:
      name = "On";
      break;
    }
    if (state.stages()) {
      name += "{";
      for (int stage = 0; stage < 64; ++stage)
        if (state.stages() >> stage & 1)
          name += (name.back() == '{' ? "" : ",") + std::to_string(stage);
      name += "}";
    }
    text += (axis ? ", " : "") + std::string(kAxisNames[axis]) + "=" +
            std::to_string(program.axes()->Get(axis)->parts()) + ":" + name;
  }
  return text;
}

template <typename T>
Json shapeOf(const flatbuffers::Vector<T> *shape) {
  Json sizes = Json::array();
  if (shape)
    for (T size : *shape)
      sizes.push_back(size);
  return sizes;
}

Json describeValues(const program::Program &program,
                    const program::Stage &stage) {
  Json values = Json::array();
  for (const program::Value *value : *stage.values()) {
    const program::Place &place = *value->place();
    values.push_back(
        {{"name", value->name()->str()},
         {"dtype", program::EnumNameDType(value->dtype())},
         {"global_shape", shapeOf(value->global_shape())},
         {"local_shape", shapeOf(value->local_shape())},
         {"layout",
          layoutText(program, *program.layouts()->Get(value->layout()))},
         {"class", program::EnumNameBufferClass(value->buffer_class())},
         {"offset", place.offset()},
         {"bytes", place.bytes()},
         {"slots", place.slots()},
         {"slot_stride", place.slot_stride()},
         {"micro_batch_stride", place.micro_batch_stride()}});
  }
  return values;
}

Json describeSchedule(
    const program::Stage &stage,
    const flatbuffers::Vector<flatbuffers::Offset<program::Repeat>> *schedule) {
  Json repeats = Json::array();
  if (!schedule)
    return repeats;
  for (const program::Repeat *repeat : *schedule) {
    Json calls = Json::array();
    for (const program::Call *call : *repeat->calls())
      calls.push_back(
          {{"task", stage.tasks()->Get(call->task())->name()->str()},
           {"first", call->first()}});
    repeats.push_back({{"count", repeat->count()}, {"calls", calls}});
  }
  return repeats;
}

Json describeTasks(const program::Program &program,
                   const program::Stage &stage) {
  Json tasks = Json::array();
  for (const program::Task *task : *stage.tasks()) {
    Json instructions = Json::array();
    for (const program::Instruction *entry : *task->instructions()) {
      // Every table has the operation id first.
      auto id = static_cast<const flatbuffers::Table *>(entry->kind())
                    ->GetField<uint32_t>(4, 0);
      std::string name = id < program.operations()->size()
                             ? program.operations()->Get(id)->name()->str()
                             : "";
      instructions.push_back(
          {{"id", id},
           {"kind", program::EnumNameInstructionKind(entry->kind_type())},
           {"name", name},
           {"fields", fieldsText(*entry)}});
    }
    tasks.push_back(
        {{"name", task->name()->str()}, {"instructions", instructions}});
  }
  return tasks;
}

Json describe(const rt::Program &program) {
  const program::Plan &plan = *program->plan();
  Json document = {
      {"model", program->model()->str()},
      {"program", program.hashText()},
      {"program_bytes", program.data().size()},
      {"kernel_bytes",
       program->kernels() ? program->kernels()->image()->size() : 0},
      {"kernels",
       program->kernels() ? program->kernels()->kernels()->size() : 0},
      {"ranks", rt::Mesh(program.table()).rankCount()},
      {"plan",
       {{"pp", plan.pp()},
        {"dp", plan.dp()},
        {"tp", plan.tp()},
        {"micro_batches", plan.micro_batches()},
        {"zero", plan.zero()},
        {"schedule", plan.schedule()->str()}}}};
  Json stages = Json::array();
  for (const program::Stage *stage : *program->stages()) {
    Json memory = Json::array();
    for (const program::MemoryClass *entry : *stage->memory())
      memory.push_back({{"class", entry->name()->str()},
                        {"elements", entry->elements()},
                        {"bytes", entry->bytes()}});
    stages.push_back({{"arena_bytes", stage->arena_bytes()},
                      {"lower_bound_bytes", stage->lower_bound_bytes()},
                      {"peak_live_bytes", stage->peak_live_bytes()},
                      {"memory", memory},
                      {"train", describeSchedule(*stage, stage->train())},
                      {"evaluate", describeSchedule(*stage, stage->evaluate())},
                      {"tasks", describeTasks(program.table(), *stage)},
                      {"values", describeValues(program.table(), *stage)}});
  }
  document["stages"] = stages;
  return document;
}

void printSchedule(const char *name, const Json &schedule) {
  if (schedule.empty())
    return;
  std::string text;
  for (const Json &repeat : schedule) {
    std::string calls;
    for (const Json &call : repeat["calls"]) {
      calls += (calls.empty() ? "" : " ") + call["task"].get<std::string>();
      if (call["first"].get<int>() > 0)
        calls += "+" + std::to_string(call["first"].get<int>());
    }
    int count = repeat["count"];
    text += (text.empty() ? "" : " | ") +
            (count == 1 ? calls : std::to_string(count) + " x (" + calls + ")");
  }
  std::printf("  %-9s %s\n", name, text.c_str());
}

void printText(const Json &document, const InspectArguments &arguments) {
  const Json &plan = document["plan"];
  std::printf("model %s, program %s, %zu bytes (%zu of them %zu kernels)\n",
              document["model"].get<std::string>().c_str(),
              document["program"].get<std::string>().c_str(),
              document["program_bytes"].get<size_t>(),
              document["kernel_bytes"].get<size_t>(),
              document["kernels"].get<size_t>());
  std::printf("plan pp=%d dp=%d tp=%d micro_batches=%d zero=%d schedule=%s: "
              "%d ranks\n",
              plan["pp"].get<int>(), plan["dp"].get<int>(),
              plan["tp"].get<int>(), plan["micro_batches"].get<int>(),
              plan["zero"].get<int>(),
              plan["schedule"].get<std::string>().c_str(),
              document["ranks"].get<int>());
  int number = 0;
  for (const Json &stage : document["stages"]) {
    std::printf("\nstage %d: arena %zu bytes, live at the peak %zu, lower "
                "bound %zu\n",
                number++, stage["arena_bytes"].get<size_t>(),
                stage["peak_live_bytes"].get<size_t>(),
                stage["lower_bound_bytes"].get<size_t>());
    for (const Json &entry : stage["memory"])
      std::printf("  %-24s %12zu elements %14zu bytes\n",
                  entry["class"].get<std::string>().c_str(),
                  entry["elements"].get<size_t>(),
                  entry["bytes"].get<size_t>());
    printSchedule("train", stage["train"]);
    printSchedule("evaluate", stage["evaluate"]);
    for (const Json &task : stage["tasks"]) {
      std::printf("  task %s: %zu instructions\n",
                  task["name"].get<std::string>().c_str(),
                  task["instructions"].size());
      if (arguments.operations)
        for (const Json &entry : task["instructions"])
          std::printf("    %4u %-14s %-28s %s\n", entry["id"].get<unsigned>(),
                      entry["kind"].get<std::string>().c_str(),
                      entry["name"].get<std::string>().c_str(),
                      entry["fields"].get<std::string>().c_str());
    }
    if (arguments.arena)
      for (const Json &value : stage["values"])
        std::printf("  [%10zu, %10zu) %-11s %-32s %s %s\n",
                    value["offset"].get<size_t>(),
                    value["offset"].get<size_t>() +
                        value["bytes"].get<size_t>(),
                    value["class"].get<std::string>().c_str(),
                    value["name"].get<std::string>().c_str(),
                    value["local_shape"].dump().c_str(),
                    value["layout"].get<std::string>().c_str());
  }
}

int runInspect(InspectArguments &arguments) {
  if (rt::Status status = arguments.model.resolve(); !status.isOk())
    return failUsage(status.str());
  auto program = loadOrCompile(arguments.model.compile);
  if (!program.isOk())
    return fail(program.status());
  Json document = describe(**program);
  if (arguments.json)
    std::printf("%s\n", document.dump(2).c_str());
  else
    printText(document, arguments);
  return kExitDone;
}

} // namespace

void addInspectCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "inspect", "Show a program: plan, memory, schedule, instructions.");
  auto arguments = std::make_shared<InspectArguments>();
  arguments->model.addTo(*command);
  command
      ->add_flag("--ops", arguments->operations,
                 "also list the instructions of every task")
      ->group("Output");
  command
      ->add_flag("--arena", arguments->arena,
                 "also list every value with its bytes in the arena")
      ->group("Output");
  command
      ->add_flag("--json", arguments->json,
                 "everything as one JSON object instead")
      ->group("Output");
  command->footer("Example: dtc inspect build/models/mlp-fashion.fbs --plan "
                  "tp=2 --arena");
  command->callback(
      [arguments, &exitCode] { exitCode = runInspect(*arguments); });
}

} // namespace dtc::cli
