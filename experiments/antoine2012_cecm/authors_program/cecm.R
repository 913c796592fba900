# Runs cecm of the R package evclust. Usage: Rscript cecm.R FOLDER
#
# FOLDER holds X.csv, the attributes, tasks.csv, one row per call, starts.csv, the prototypes of draw 1, of draw
# 2 and so on, and links.csv, one row per constraint: the number of its draw, "must" or "cannot", and its
# objects, from 1. Written are runs.csv and labels.csv, one column per call, the clusters of largest pignistic
# probability; 0 where cecm stopped. Exit code 3: a package is missing.

give_up <- function(why) {
  message(conditionMessage(why))
  quit(status = 3)
}
tryCatch(suppressWarnings(suppressMessages(library(evclust))), error = give_up)

folder <- commandArgs(TRUE)[1]
read <- function(name) unname(as.matrix(read.csv(file.path(folder, name), header = FALSE)))
X <- read("X.csv")
starts <- read("starts.csv")
tasks <- read.csv(file.path(folder, "tasks.csv"))
links <- read.csv(file.path(folder, "links.csv"))
pairs <- function(draw, kind) as.matrix(links[links$draw == draw & links$kind == kind, c("first", "second")])

labels <- matrix(0L, nrow(X), nrow(tasks))
runs <- data.frame(n_iter = NA, time_s = NA, reason = rep("", nrow(tasks)))
for (i in seq_len(nrow(tasks))) {
  t <- tasks[i, ]
  start <- starts[(t$draw - 1) * t$n_clusters + seq_len(t$n_clusters), ]
  set.seed(t$seed)
  call <- quote(cecm(X, t$n_clusters, ML = pairs(t$draw, "must"), CL = pairs(t$draw, "cannot"), g0 = start,
                     delta = t$delta, xi = t$xi, distance = t$adaptive, epsi = t$tol, disp = TRUE))
  clock <- system.time(shown <- capture.output(found <- tryCatch(eval(call), error = identity)))
  runs$time_s[i] <- clock[["user.self"]] + clock[["sys.self"]]
  if (inherits(found, "error")) {
    runs$reason[i] <- conditionMessage(found)
    next
  }
  runs$n_iter[i] <- length(shown) - 1  # a line for each iteration, and one for the trial
  labels[, i] <- max.col(found$betp, ties.method = "first")
}
runs$version <- sprintf("R %s, evclust %s", getRversion(), packageVersion("evclust"))
write.csv(runs, file.path(folder, "runs.csv"), row.names = FALSE)
write.csv(labels, file.path(folder, "labels.csv"), row.names = FALSE)
