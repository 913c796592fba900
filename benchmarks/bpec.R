# delta_Bel and bpec of R's evclust at the inputs of benchmarks/bpec.py; writes masses and processor times.
library(evclust)
folder <- commandArgs(trailingOnly = TRUE)[1]
read <- function(name) as.matrix(read.csv(file.path(folder, name), header = FALSE))
write <- function(values, name) {
  write.table(values, file.path(folder, name), sep = ",", row.names = FALSE, col.names = FALSE)
}
x <- unname(read("x.csv"))
peaks <- unname(read("peaks.csv"))
settings <- read("settings.csv")

# delta_Bel asks for a click on its picture: one is given, and nothing is drawn
graph <- delta_Bel
answer <- new.env(parent = environment(delta_Bel))
answer$locator <- function(n) list(x = settings[4], y = settings[5])
environment(graph) <- answer
pdf(NULL)
processor <- function(times) times[["user.self"]] + times[["sys.self"]]
of_graph <- processor(system.time(found <- graph(x, settings[1], 0.9)))
of_masses <- processor(system.time(
  fit <- bpec(x, peaks, type = "full", delta = settings[2], distance = settings[3], disp = FALSE)
))
options(digits = 17)
write(fit$mass, "masses.csv")
write(cbind(found$BelC, found$delta), "graph.csv")
write(c(of_graph, of_masses), "seconds.csv")
